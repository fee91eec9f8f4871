"""Mechanism files of a run: the machine, its load and motors, and what the observer believes."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from mb_model import Mechanism
from mb_model.file_api import write_whole

KIND = 'motor_torque'
TOPIC = 'motor_torques'
FORCES = ('coulomb', 'static', 'viscous', 'pressure_difference', 'rod_pressure')


def with_motors(mechanism: Mechanism, gain: float, offset: float, noise: float,
                rate: float) -> tuple[Mechanism, tuple[str, ...]]:
    """Return (Mechanism, names of its motors): one on each drive, unless its file has some.

    gain: largest relative error; offset: largest one; noise: deviation of a reading [N or N m];
    rate: of readings [Hz].
    """
    own = tuple(name for name, entry in mechanism.sensors.items() if entry.get('kind') == KIND)
    if own:
        return mechanism, own
    errors = {'sigma': noise, 'drawn_scale': gain, 'drawn_bias': offset, 'rate': rate}
    motors = {f'motor_{drive.replace(".", "_")}': {
        'kind': KIND, 'drive': drive, 'topic': TOPIC, **errors} for drive in mechanism.drives}
    return mechanism.replace(sensors=motors), tuple(motors)


def loaded(mechanism: Mechanism, name: str, mass: float) -> Mechanism:
    """Return a Mechanism with another mass [kg] for a name in its `parameters`.

    Raises ValueError if there is no such parameter.
    """
    if name not in mechanism.described.parameters:
        known = ', '.join(mechanism.described.parameters) or 'none'
        raise ValueError(f'load: {mechanism.name} has no parameter {name!r}, expected one of '
                         f'{known}')
    return mechanism.replace(parameters={name: mass})


def misjudged(mechanism: Mechanism, friction: float = 0.0, body: str = 'arm',
              mass: float = 0.0) -> Mechanism:
    """Return a Mechanism whose friction forces and mass of a body are wrong by shares of them.

    Raises ValueError if there is no such body.
    """
    overrides = (wrong_friction(mechanism, friction) if friction else {}) | (
        wrong_mass(mechanism, body, mass) if mass else {})
    return mechanism.replace(**overrides) if overrides else mechanism


def wrong_friction(mechanism: Mechanism, share: float) -> dict[str, Any]:
    """Return entries of the file with friction forces of all cylinders greater by a share."""
    return {'hydraulics': {'cylinders': {
        name: {'friction': {key: value * (1.0 + share)
                            for key, value in asdict(cylinder.friction).items()
                            if key in FORCES}}
        for name, cylinder in mechanism.described.hydraulics.cylinders.items()}}}


def wrong_mass(mechanism: Mechanism, body: str, share: float) -> dict[str, Any]:
    """Return entries of the file with a body heavier by a share; ValueError if there is none."""
    if body not in mechanism.bodies:
        raise ValueError(f'{body}_mass_error: {mechanism.name} has no body {body!r}, expected one '
                         f'of {", ".join(mechanism.bodies)}')
    return {'bodies': {body: {'mass': mechanism.bodies[body].mass * (1.0 + share)}}}


def wrong_masses(mechanism: Mechanism, share: float) -> Mechanism:
    """Return a Mechanism whose bodies all are heavier, with more inertia, by a share."""
    return mechanism.replace(bodies={
        name: {'mass': body.mass * (1.0 + share)} | (
            {} if body.rod else {'inertia': body.inertia * (1.0 + share)})
        for name, body in mechanism.bodies.items()}) if share else mechanism


def written(mechanism: Mechanism, path: Path) -> str:
    """Write a Mechanism as a file of its own; return the path as text."""
    write_whole(path, mechanism.text)
    return str(path)
