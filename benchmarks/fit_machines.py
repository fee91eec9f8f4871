"""Arms and loops whose numbers are drawn, their motion, and recordings of it, to judge fits."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mb_estimators import DynamicsSamples, FitRecording, FitSettings
from mb_model import Mechanism, Regressor, load_mechanism
from mb_sensors import RecordedMotion

STEP = 5e-3                     # [s]
SETTINGS = FitSettings(averaging_time=STEP, held_out=0.0)
_NOISE = 0.02                   # of the forces of drives, a share of their root mean square


@dataclass(frozen=True)
class Machine:
    """A true machine, what its file believes, and an exact recording of a motion."""

    truth: Mechanism
    believed: Mechanism
    exact: DynamicsSamples

    def recording(self, seed: int) -> FitRecording:
        """Return the recording with noise of its drives and of its accelerations."""
        random = np.random.default_rng(seed)
        u, motion = self.exact.torques, self.exact.motion
        size = _NOISE * np.sqrt(np.mean(u ** 2, axis=0))
        zdd = 0.005 * np.sqrt(np.mean(motion.zdd ** 2, axis=0))
        spread = np.diag(np.r_[np.zeros(2 * motion.z.shape[1]), zdd ** 2])
        moved = replace(motion, zdd=motion.zdd + zdd * random.standard_normal(motion.zdd.shape),
                        covariance=np.broadcast_to(spread, (len(u), *spread.shape)))
        return FitRecording(DynamicsSamples(
            moved, u + size * random.standard_normal(u.shape)))


def arm(dimension: int, joints: int) -> dict[str, Any]:
    """Return the mapping of a mechanism file of a serial arm whose joints all have drives."""
    names = [f'link{k + 1}' for k in range(joints)]
    flat = dimension == 2
    still = ({'points': {'P0': {'fixed': [0.0, 0.0]}, **{
        f'P{k + 1}': {'start': [0.3 * (k + 1), 0.1 * k]} for k in range(joints)}}} if flat else
             {'ground': {'P0': [0.0, 0.0, 0.0]}})
    bodies, ties, coordinates, before = {}, {}, {}, 'ground'
    for k, name in enumerate(names):
        length = 0.4 - 0.03 * k
        ends = ({f'P{k}': [0.0, 0.0], f'P{k + 1}': [length, 0.0]} if flat else
                {f'P{k}': [0.0, 0.0, 0.0], f'P{k + 1}': [0.0, 0.05, length]})
        bodies[name] = {'points': ends, 'mass': 1.0}
        if flat:
            bodies[name] |= {'centre_of_gravity': [0.5 * length, 0.0], 'inertia': 0.02}
            coordinates[f'q{k + 1}'] = (
                {'kind': 'angle', 'body': name} if k == 0 else
                {'kind': 'relative_angle', 'bodies': [before, name]})
        else:
            axis = ([0, 0, 1], [0, 1, 0], [1, 0, 0])[k % 3]
            bodies[name] |= {'centre_of_gravity': [0.0, 0.0, 0.5 * length],
                             'inertia': [0.02, 0.02, 0.01, 0.0, 0.0, 0.0]}
            ties[f'joint{k + 1}'] = {'kind': 'revolute', 'bodies': [before, name], 'at': f'P{k}',
                                     'axes': [axis, axis]}
            coordinates[f'q{k + 1}'] = {'kind': 'angle', 'joint': f'joint{k + 1}'}
        before = name
    angles = list(coordinates)
    return {'name': f'arm{joints}', 'dimension': dimension, 'bodies': bodies,
            **still, **({'joints': ties} if ties else {}),
            'coordinates': coordinates, 'independent': angles, 'drives': angles,
            'start': dict.fromkeys(angles, 0.3),
            'forces': {f'friction{k + 1}': {'kind': 'friction', 'coordinate': angle, 'coulomb': 0.2,
                                            'viscous': 0.1, 'transition_velocity': 0.02}
                       for k, angle in enumerate(angles)}}


def drawn(mechanism: Mechanism, random: np.random.Generator) -> Mapping[str, Any]:
    """Return overrides: bodies and friction of another machine of the same places.

    Each body is a cloud of eight masses around its centre of gravity.
    """
    d, bodies = mechanism.dimension, {}
    for name, body in mechanism.bodies.items():
        at = np.array(list(body.points.values()))
        size = max(float(np.ptp(at, axis=0).max()), 0.1)
        where = np.asarray(body.centre_of_gravity) + 0.35 * size * random.standard_normal((8, d))
        heavy = body.mass * np.exp(0.5 * random.standard_normal()) / 8
        masses = heavy * random.uniform(0.5, 1.5, 8)
        mass = float(masses.sum())
        centre = masses @ where / mass
        away = where - centre
        square = np.einsum('k,ki,kj->ij', masses, away, away)
        inertia = (float(np.trace(square)) if d == 2 else
                   [float((np.trace(square) * np.eye(3) - square)[i, j])
                    for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))])
        bodies[name] = {'mass': mass, 'centre_of_gravity': centre.tolist(), 'inertia': inertia}
    forces = {name: {key: float(entry[key]) * float(np.exp(0.7 * random.standard_normal()))
                     for key in ('coulomb', 'viscous')}
              for name, entry in mechanism.raw.get('forces', {}).items()
              if entry['kind'] == 'friction' and not isinstance(entry['coulomb'], str)}
    return {'bodies': bodies, 'forces': forces}


def machine(mechanism: Mechanism, seed: int, duration: float = 8.0) -> Machine:
    """Return a Machine of a mechanism; seed: of its numbers and of its motion."""
    random = np.random.default_rng(seed)
    believed = mechanism.replace(**drawn(mechanism, random))
    truth = mechanism.replace(**drawn(mechanism, random))
    t = np.arange(0.0, duration, STEP)
    g = mechanism.g
    reach = np.where([mechanism.unit(name) == 'rad' for name in mechanism.independent], 0.5, 0.04)
    rates = random.uniform(0.7, 4.0, (4, g)) * np.arange(1, 5)[:, np.newaxis] ** 0.5
    phases = random.uniform(0.0, 2.0 * np.pi, (4, g))
    wave = rates * t[:, np.newaxis, np.newaxis] + phases
    sizes = reach * random.uniform(0.3, 1.0, (4, g)) / 2.0
    states = (mechanism.z0 + np.sum(sizes * np.sin(wave), axis=1),
              np.sum(sizes * rates * np.cos(wave), axis=1),
              -np.sum(sizes * rates ** 2 * np.sin(wave), axis=1))
    needed = Regressor(truth, ()).along(*states)
    R = needed.R[:, mechanism.indices(mechanism.drives)]
    torques = np.array([np.linalg.lstsq(one.T, force, rcond=None)[0]
                        for one, force in zip(R, needed.force, strict=True)])
    stamps = np.round(1e9 * t).astype(np.int64)
    return Machine(truth, believed, DynamicsSamples(RecordedMotion(stamps, *states), torques))


def mechanisms() -> dict[str, Mechanism]:
    """Return the machines by name: arms in plane and space, and closed loops."""
    found = {f'{"planar" if d == 2 else "spatial"} arm of {joints}':
             Mechanism(arm(d, joints), f'arm{joints}.yaml')
             for d in (2, 3) for joints in range(2, 8)}
    five_bar = load_mechanism('five_bar')
    found['five-bar, closed'] = five_bar.replace(drives=list(five_bar.independent))
    robot = load_mechanism('three_rrr')
    found['3-RRR, closed'] = robot
    return found
