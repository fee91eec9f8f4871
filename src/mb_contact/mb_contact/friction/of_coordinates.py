"""Friction on coordinates with drives, and what the residuals of a fit say about its law."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mb_contact.arguments import ContactError
from mb_contact.friction.fit import FrictionFit, FrictionFitSettings, fit_friction
from mb_contact.friction.law import LOAD_SHARES, FrictionLaw, coordinate_law, load_law
from mb_contact.friction.samples import FrictionSamples, joined
from mb_estimators import DynamicsSamples, UnexplainedForces
from mb_model import Mechanism, Regressor, setting
from mb_model.arrays import IntArray
from mb_model.kernel_api import passed_on

KINDS = 'friction', 'directional_friction', 'load_friction'

_PASSES = 2                 # of a fit with the load by what is found
_UNIFORM = 12.0             # square of a width over the variance of what is uniform in it
_CERTAIN = 5.0      # deviations of a share
_MUCH = 0.2         # of the mean square that is left
_BLOCKS = 10        # of samples of each recording in a row, the errors of which are independent


@dataclass(frozen=True)
class CoordinateFitSettings(FrictionFitSettings):
    """Selection of the samples of friction on coordinates, and their weights."""

    averaging_time: float = setting(
        0.01, unit='s', above=0.0, help='Each sample is the mean over this time')
    largest_acceleration: float = setting(
        1e9, unit='rad/s^2 or m/s^2', above=0.0,
        help='Samples during which a degree of freedom accelerates more are left out: what it '
             'needs depends on masses and inertias then')
    knot_spacing: float = setting(
        0.02, unit='s', above=0.0, help='Of the spline through the readings of encoders')
    torque_deviation: float = setting(
        0.02, unit='N m or N', above=0.0, help='Standard deviation of the known force of a drive')


def fit_coordinates(mechanism: Mechanism, forces: Sequence[str],
                    recordings: Sequence[DynamicsSamples], drives: Sequence[str],
                    settings: CoordinateFitSettings | None = None, keep: bool = True,
                    ) -> dict[str, FrictionFit]:
    """Return {force: FrictionFit} of forces of the kinds KINDS on coordinates of a mechanism.

    forces: their names in the file; recordings: DynamicsSamples; drives: names of all
    coordinates on which forces act beside the mechanism's own; settings: CoordinateFitSettings;
    keep: whether parameters that are hardly determined stay as in the mechanism.

    Raises ValueError.
    """
    settings = settings or CoordinateFitSettings()
    laws = [friction_on(mechanism, name) for name in forces]
    own = mechanism.indices([coordinate for coordinate, _ in laws])
    without = mechanism.replace(forces={
        name: dict.fromkeys(law.linear, 0.0) for name, (_, law) in zip(forces, laws, strict=True)})
    samples = [_samples(without, recording, own, mechanism.indices(drives), settings)
               for recording in recordings]
    known = {name: known_friction(mechanism, name) if keep else None for name in forces}
    return {name: with_notes(_fit(joined([part[k] for part in samples]), settings, known[name],
                                  law))
            for k, (name, (_, law)) in enumerate(zip(forces, laws, strict=True))}


def _fit(samples: FrictionSamples, settings: CoordinateFitSettings,
         known: Mapping[str, float] | None, law: FrictionLaw) -> FrictionFit:
    """Return the FrictionFit of samples.

    The load by the motion has the errors of its accelerations, and so has the friction: their
    product would pull a share of it down.  So it is fitted again with the load by the effort.
    """
    fit = fit_friction(samples, settings, known, law)
    for _ in range(_PASSES if LOAD_SHARES[0] in law.linear else 0):
        numbers = np.array([fit.parameters.get(name, fit.parameters[LOAD_SHARES[0]])
                            for name in (*law.linear[:3], 'transition_velocity', *LOAD_SHARES)])
        loads = [passed_on(numbers, effort, v)[0]
                 for effort, v in zip(samples.rod_pressure, samples.velocity, strict=True)]
        fit = fit_friction(replace(samples, piston_pressure=np.array(loads)), settings, known, law)
    return fit


def friction_on(mechanism: Mechanism, name: str) -> tuple[str, FrictionLaw]:
    """Return (coordinate, FrictionLaw) of a force by its name; raises ContactError."""
    force = mechanism.described.forces.get(name)
    if force is None or force.kind not in KINDS or not force.coordinate:
        fitting = [other for other, one in mechanism.described.forces.items()
                   if one.kind in KINDS and one.coordinate]
        raise ContactError(f'{mechanism.file}: forces.{name}: expected {" or ".join(KINDS)} on a '
                           f'coordinate, those are {", ".join(fitting) or "none"}')
    is_angle = mechanism.unit(force.coordinate) == 'rad'
    if force.kind == 'load_friction':
        return force.coordinate, load_law(is_angle, LOAD_SHARES[1] in mechanism.raw['forces'][name])
    return force.coordinate, coordinate_law(is_angle, force.kind == 'directional_friction')


def known_friction(mechanism: Mechanism, name: str) -> dict[str, float]:
    """Return the parameters of a force as in the mechanism, by name."""
    _, law = friction_on(mechanism, name)
    return {key: float(mechanism.parameter_records([f'forces.{name}.{key}'])['value'][0])
            for key in law.parameters if key not in law.excess} | {
        key: _static(mechanism, name, key, coulomb) for key, coulomb in law.excess.items()}


def _static(mechanism: Mechanism, name: str, static: str, coulomb: str) -> float:
    """Return the static friction of a force: its own, or without one the Coulomb friction."""
    key = static if static in mechanism.raw['forces'][name] else coulomb
    return float(mechanism.parameter_records([f'forces.{name}.{key}'])['value'][0])


def _samples(without: Mechanism, recording: DynamicsSamples, coordinates: IntArray,
             drives: IntArray, settings: CoordinateFitSettings) -> list[FrictionSamples]:
    """Return the FrictionSamples of each coordinate of one recording.

    without: the mechanism without their friction.  What drives do beyond what the motion needs
    rubs: R_c^T friction = R_d^T torques - needed.  Needed is the load that they carry.
    """
    settled = recording[recording.t >= settings.settling_time]
    unexplained = UnexplainedForces(Regressor(without, ()), settled, drives, settings)
    motion = unexplained.motion
    own = unexplained.needed.R[:, coordinates]
    to_own = np.linalg.pinv(np.swapaxes(own, 1, 2))             # (k, c, g)
    rates = np.zeros((len(unexplained.t), len(coordinates)))
    if motion.covariance is not None:
        g = without.g
        rates = np.einsum('kcg,kgh,kch->kc', own, motion.covariance[:, g:2 * g, g:2 * g], own)
    # Within the time of a spline's knots and of the mean the velocity changes: a sample is of some.
    lasting = (settings.knot_spacing ** 2 + settings.averaging_time ** 2) / _UNIFORM
    rates = rates + lasting * np.einsum('kcg,kg->kc', own, motion.zdd) ** 2
    spread = np.einsum('kcg,kgh,kch->kc', to_own, unexplained.covariance, to_own)
    slow = (abs(unexplained.mean(motion.zdd)) <= settings.largest_acceleration).all(axis=1)
    force, load, velocity, rates, spread = (unexplained.mean(values)[slow] for values in (
        np.einsum('kcg,kg->kc', to_own, unexplained.residual),
        np.einsum('kcg,kg->kc', to_own, unexplained.needed.force),
        np.einsum('kcg,kg->kc', own, motion.zd), rates, spread))
    t, number = unexplained.t[unexplained.starts][slow], np.zeros(len(force), int)
    return [FrictionSamples(t, velocity[:, c], force[:, c], load[:, c], load[:, c] + force[:, c],
                            np.sqrt(rates[:, c]), np.sqrt(spread[:, c]), number)
            for c in range(len(coordinates))]


def with_notes(fit: FrictionFit) -> FrictionFit:
    """Return a fit on a coordinate with notes on what its law does not explain.

    The part of the residual along |load| flat is fitted by itself, with an intercept along flat,
    and its deviation comes from the blocks of samples (jackknife).
    """
    s = fit.samples
    if LOAD_SHARES[0] in fit.law.linear or np.ptp(np.abs(s.piston_pressure)) == 0.0:
        return fit
    flat = np.tanh(4.0 * s.velocity / fit.parameters['transition_velocity'])
    columns = np.stack([flat, np.abs(s.piston_pressure) * flat], axis=1)
    columns /= s.force_deviation[:, None]
    left = fit.residual / s.force_deviation
    blocks = [part for number in np.unique(s.recording)
              for part in np.array_split(np.flatnonzero(s.recording == number), _BLOCKS)]
    normal = np.array([columns[block].T @ columns[block] for block in blocks])
    right = np.array([columns[block].T @ left[block] for block in blocks])
    solution = np.linalg.lstsq(normal.sum(0), right.sum(0), rcond=None)[0]
    others = np.array([np.linalg.lstsq(normal.sum(0) - one, right.sum(0) - other, rcond=None)[0][1]
                       for one, other in zip(normal, right, strict=True)])
    count = len(blocks)
    deviation = np.sqrt((count - 1.0) / count * np.sum((others - others.mean()) ** 2))
    explained = float(right.sum(0) @ solution) / float(left @ left)
    if not (solution[1] > _CERTAIN * deviation and explained > _MUCH):
        return fit
    return replace(fit, notes=(
        f'friction grows with the load that the drive carries, by about {solution[1]:.2g} of it; '
        f'this law leaves {np.sqrt(np.mean(fit.residual ** 2)):.2g} '
        f'{fit.law.units[fit.law.linear[0]]} unexplained, the kind load_friction has such a '
        'share',))
