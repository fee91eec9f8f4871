"""Friction on coordinates from recorded motions and forces of drives."""

from dataclasses import dataclass

import numpy as np

from mb_contact.arguments import ContactError
from mb_contact.friction.fit import fit_friction
from mb_contact.friction.fit_settings import FrictionFitSettings
from mb_contact.friction.law import coordinate_law
from mb_contact.friction.samples import FrictionSamples, joined
from mb_model import Regressor, setting

KINDS = {'friction': False, 'directional_friction': True}       # name: whether by direction

_UNIFORM = 12.0             # square of a width over the variance of what is uniform in it


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


def fit_coordinates(mechanism, forces, recordings, drives, settings=None, keep=True):
    """Return {force: FrictionFit} of forces of the kinds KINDS on coordinates of a mechanism.

    forces: their names in the file; recordings: DynamicsSamples; drives: names of coordinates, of
    all forces that act beside those of the mechanism; settings: CoordinateFitSettings; keep:
    whether parameters that are hardly determined stay as in the mechanism.  Raises ValueError.
    """
    settings = settings or CoordinateFitSettings()
    found = [friction_on(mechanism, name) for name in forces]
    places = mechanism.places([coordinate for coordinate, _ in found])
    without = mechanism.replace(forces={
        name: dict.fromkeys(law.linear, 0.0) for name, (_, law) in zip(forces, found, strict=True)})
    samples = [_samples(without, recording, places, mechanism.places(drives), settings)
               for recording in recordings]
    known = {name: known_friction(mechanism, name) if keep else None for name in forces}
    return {name: fit_friction(joined([part[k] for part in samples]), settings, known[name], law)
            for k, (name, (_, law)) in enumerate(zip(forces, found, strict=True))}


def friction_on(mechanism, name):
    """Return (coordinate, FrictionLaw) of a force by its name; raises ContactError."""
    force = mechanism.described.forces.get(name)
    if force is None or force.kind not in KINDS or not force.coordinate:
        fitting = [other for other, one in mechanism.described.forces.items()
                   if one.kind in KINDS and one.coordinate]
        raise ContactError(f'{mechanism.file}: forces.{name}: expected {" or ".join(KINDS)} on a '
                           f'coordinate, those are {", ".join(fitting) or "none"}')
    return force.coordinate, coordinate_law(mechanism.unit(force.coordinate) == 'rad',
                                            KINDS[force.kind])


def known_friction(mechanism, name):
    """Return the parameters of a force as in the mechanism, by name."""
    _, law = friction_on(mechanism, name)
    return {key: float(mechanism.parameter_records([f'forces.{name}.{key}'])['value'][0])
            for key in law.parameters if key not in law.excess} | {
        key: _static(mechanism, name, key, coulomb) for key, coulomb in law.excess.items()}


def _static(mechanism, name, static, coulomb):
    """Return the static friction of a force: its own, or that of Coulomb without one."""
    key = static if static in mechanism.raw['forces'][name] else coulomb
    return float(mechanism.parameter_records([f'forces.{name}.{key}'])['value'][0])


def _samples(without, recording, places, drives, settings):
    """Return the FrictionSamples of each coordinate of one recording.

    without: the mechanism without their friction.  What drives do beyond what the motion needs
    rubs: R_c^T friction = R_d^T torques - needed.
    """
    settled = recording[recording.t >= settings.settling_time]
    if not len(settled):
        raise ContactError(f'a recording of {recording.t[-1] if len(recording) else 0.0:g} s: '
                           f'longer than {settings.settling_time:g} s is needed')
    motion, t = settled.motion, settled.t
    needed = Regressor(without, ()).along(motion.z, motion.zd, motion.zdd)
    R = needed.R[:, drives]
    rest = np.einsum('kdg,kd->kg', R, settled.torques) - needed.force
    own = needed.R[:, places]
    to_own = np.linalg.pinv(np.swapaxes(own, 1, 2))             # (k, c, g)
    covariance = settings.torque_deviation ** 2 * np.einsum('kdg,kdh->kgh', R, R)
    rates = np.zeros((len(t), len(places)))
    if motion.covariance is not None:
        g = without.g
        covariance = covariance + np.einsum('kgi,kij,khj->kgh', needed.by_state, motion.covariance,
                                            needed.by_state, optimize=True)
        rates = np.einsum('kcg,kgh,kch->kc', own, motion.covariance[:, g:2 * g, g:2 * g], own)
    # Within the time of a spline's knots and of the mean the velocity changes: a sample is of some.
    lasting = (settings.knot_spacing ** 2 + settings.averaging_time ** 2) / _UNIFORM
    rates = rates + lasting * np.einsum('kcg,kg->kc', own, motion.zdd) ** 2
    spread = np.einsum('kcg,kgh,kch->kc', to_own, covariance, to_own)
    starts = np.flatnonzero(np.diff(np.floor(t / settings.averaging_time), prepend=-1.0))
    counts = np.diff(np.r_[starts, len(t)])[:, None]

    def mean(values):
        return np.add.reduceat(values, starts) / counts

    slow = (abs(mean(motion.zdd)) <= settings.largest_acceleration).all(axis=1)
    force, velocity, rates, spread = (mean(values)[slow] for values in (
        np.einsum('kcg,kg->kc', to_own, rest), np.einsum('kcg,kg->kc', own, motion.zd), rates,
        spread))
    nothing = np.zeros(len(force))
    return [FrictionSamples(t[starts][slow], velocity[:, c], force[:, c], nothing, nothing,
                            np.sqrt(rates[:, c]), np.sqrt(spread[:, c]), nothing.astype(int))
            for c in range(len(places))]
