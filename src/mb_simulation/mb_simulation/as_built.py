"""A machine as it was built: beside its file by what is not measured."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass

import numpy as np

from mb_model import Mechanism, Settings, setting
from mb_model.space_api import kind_of
from mb_sensors import sensors_of

FORCES = 'coulomb', 'static', 'viscous'


@dataclass(frozen=True)
class BuildErrors(Settings):
    """How far a machine is beside its file."""

    mass: float = setting(0.04, at_least=0.0, at_most=0.9,
                          help='Largest error of the mass of each body, as a share of it')
    friction: float = setting(0.3, above=-1.0, help='Of all cylinders, as a share')
    stop: float = setting(5e-4, unit='m', at_least=0.0,
                          help="Deviation of the travel at cylinders' stops")
    weld: float = setting(0.02, unit='m', at_least=0.0,
                          help='Deviation of the offsets of welded bodies, along each axis')
    mounting: float = setting(float(np.radians(2.0)), unit='rad', at_least=0.0,
                              help='Deviation of the mountings of IMUs about each axis')
    place: float = setting(5e-3, unit='m', at_least=0.0,
                           help='Deviation of the offsets of accelerometers, along each axis')


def as_built(mechanism: Mechanism, seed: int, errors: BuildErrors | None = None) -> Mechanism:
    """Return a machine whose masses, welded bodies, friction and stops of cylinders are off.

    A seed draws how far; friction is off by its whole share everywhere.
    """
    errors, random = errors or BuildErrors(), np.random.default_rng([seed, 23])
    described = mechanism.described
    bodies = {name: {'mass': body.mass * (1.0 + errors.mass * random.uniform(-1.0, 1.0))}
              for name, body in mechanism.bodies.items() if body.mass > 1.0}
    welds = {name: {'at': [(at + errors.weld * random.normal(size=3)).tolist()
                           if k == 0 else list(map(float, at))
                           for k, at in enumerate(joint.offsets)]}
             for name, joint in mechanism.joints.items() if kind_of(joint).rigid(joint)}
    cylinders = {}
    for name, one in described.hydraulics.cylinders.items() if described.hydraulics else ():
        stops = errors.stop * random.normal(size=2)
        rub = asdict(one.friction)
        cylinders[name] = {
            'retracted': float(one.retracted + stops[0]),
            'stroke': float(one.stroke + stops[1] - stops[0]),
            'friction': {key: rub[key] * (1.0 + errors.friction) for key in FORCES}}
    return mechanism.replace(bodies=bodies, joints=welds, hydraulics={'cylinders': cylinders})


def as_mounted(mechanism: Mechanism, names: Iterable[str], seed: int,
               errors: BuildErrors | None = None) -> Mechanism:
    """Return a machine whose gyroscopes and accelerometers are turned, and the latter beside.

    Sensors of one topic are one device: they turn together.  A seed draws how far.
    """
    errors, random = errors or BuildErrors(), np.random.default_rng([seed, 7])
    turns: dict[str, list[float]] = {}
    changes = {}
    for sensor in sensors_of(mechanism, list(names)):
        turn = turns.setdefault(sensor.topic, (errors.mounting * random.normal(size=3)).tolist())
        changes[sensor.name] = {'rpy': turn}
        if sensor.kind == 'accelerometer':
            at = mechanism.raw['sensors'][sensor.name]['at']
            changes[sensor.name]['at'] = [
                float(x) for x in np.array(at, float) + errors.place * random.normal(size=3)]
    return mechanism.replace(sensors=changes)


def started_beside(mechanism: Mechanism, names: Iterable[str], seed: int,
                   deviation: float) -> Mechanism:
    """Return a machine whose start is beside its file's: coordinates by name, by a deviation.

    Each has to have a start in the file.  A seed draws how far.
    """
    names, random = list(names), np.random.default_rng([seed, 11])
    off = deviation * random.normal(size=len(names))
    start = mechanism.raw['start']
    return mechanism.replace(start={
        name: float(start[name] + wrong) for name, wrong in zip(names, off, strict=True)})
