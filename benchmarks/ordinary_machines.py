"""Ordinary machines as a first user brings them, drawn at random: files of mechanisms, as mappings.

Of 10 g to a ton, 0.1 to 50 rad/s, in the plane and in space, with springs, dampers, dry friction
and motors; each with sensors that show all degrees of freedom.
"""

from collections.abc import Callable
from functools import cache
from math import pi
from typing import Any, NamedTuple
from warnings import catch_warnings, simplefilter

import numpy as np

from mb_estimators import Experiment, judged
from mb_model import IntegrationWarning, Mechanism, MechanismError

GRAVITY = 9.81              # m/s^2
DURATION, STEP = 10.0, 5e-3             # s, as the launch
START_ERRORS = {2: pi / 16, 3: 0.02}    # rad or m, by dimension, as the launch
FASTEST = 6.0               # m/s, of the end of a part
Forces = dict[str, dict[str, Any]]


class Scale(NamedTuple):
    """Sizes of a machine: mass [kg] and length [m] of its main part, pace [rad/s] of its motor."""

    mass: float
    length: float
    pace: float

    @property
    def torque(self) -> float:
        """What its weight turns the main part with, level [N m]."""
        return self.mass * GRAVITY * self.length / 2.0

    @property
    def inertia(self) -> float:
        """Of the main part about its end [kg m^2]."""
        return self.mass * self.length ** 2 / 3.0


@cache
def machine(seed: int) -> tuple[dict[str, Any], list[str]]:
    """Return the file of a machine, as a mapping, and the names of the sensors that are read.

    Drawn anew are machines that steps of 5 ms are too long for, and those whose wrong model needs
    no estimator: within the noise of the sensors, from 2 s after the start on.
    """
    rng = np.random.default_rng(seed)
    while True:
        raw, sensors = _drawn(KINDS[seed % len(KINDS)], seed, rng)
        if _is_ordinary(raw, sensors):
            return raw, sensors


def _is_ordinary(raw, sensors):
    """Return whether a machine can be simulated, and its model is wrong, see machine()."""
    with catch_warnings():
        simplefilter('error', IntegrationWarning)
        try:
            experiment = experiment_of(Mechanism(raw, raw['name']), sensors)
        except (IntegrationWarning, MechanismError):
            return False
    errors = judged(experiment.t, experiment.model_track, experiment.true_track)
    return all(error > raw['sensors'][name]['sigma'] for error, name in zip(
        errors.position_rmse_after_2s, raw['sensors'], strict=False))


def experiment_of(mechanism: Mechanism, sensors: list[str]) -> Experiment:
    """Return the Experiment that the launch file is by default, on a Mechanism with sensors."""
    return Experiment(mechanism, sensors, model_errors(mechanism), DURATION, STEP)


def model_errors(mechanism: Mechanism) -> dict[str, float]:
    """Return the errors of the model, as the launch has them by default."""
    return {'gravity': -1.0, 'z0': START_ERRORS[mechanism.dimension]}


def _drawn(make: Callable, seed: int, rng) -> tuple[dict[str, Any], list[str]]:
    """Return a machine of a kind, as machine()."""
    mass = 10.0 ** rng.uniform(-2.0, 3.0)
    length = 0.35 * np.cbrt(mass) * np.exp(rng.normal(0.0, 0.3))
    pace = min(10.0 ** rng.uniform(-1.0, 1.7), FASTEST / length)
    raw = make(Scale(mass, length, pace), rng)
    raw['sensors'] = _sensors(raw, length, rng)
    name = make.__name__.strip('_')
    return {'name': f'{name}_{seed}', **raw}, list(raw['sensors'])


def _sensors(raw, length, rng):
    """Return an encoder for each degree of freedom, at times a gyroscope beside."""
    rate, sensors = float(rng.choice([50.0, 100.0, 200.0])), {}
    for name in raw['independent']:
        described = raw['coordinates'][name]
        sigma = 10.0 ** rng.uniform(-3.0, -1.75)
        if described['kind'] == 'slider':
            sensors[f'{name}_scale'] = {'kind': 'linear_encoder', 'coordinate': name,
                                        'sigma': sigma * length, 'rate': rate}
            continue
        of = ({'coordinate': name} if 'joint' in described else {
            key: described[key] for key in ('body', 'bodies') if key in described})
        kind = 'relative_angle_encoder' if 'bodies' in of else 'angle_encoder'
        sensors[f'{name}_encoder'] = {'kind': kind, **of, 'sigma': sigma, 'rate': rate}
    if rng.random() < 0.3:
        sensors['gyro'] = {'kind': 'gyroscope', 'body': list(raw['bodies'])[-1],
                           'sigma': 10.0 ** rng.uniform(-3.0, -2.0), 'rate': rate}
    return sensors


def _motor(scale: Scale, rng, coordinate: str) -> tuple[Forces, float]:
    """Return a motor that ends at the pace, as forces, and the inertia of its rotor and gear."""
    torque = scale.torque * rng.uniform(1.5, 4.0)
    viscous = torque / scale.pace
    rate = 10.0 ** rng.uniform(-0.3, 1.7)       # 1/s, of what the pace is reached with
    rotor = max(0.0, viscous / rate - scale.inertia)
    return {'motor': {'kind': 'constant', 'coordinate': coordinate, 'force': torque},
            'losses': _friction(coordinate, viscous, torque, rng)}, rotor


def _friction(coordinate, viscous, torque, rng):
    """Return friction of a coordinate [N m s/rad or N s/m]; at times dry friction beside."""
    dry = 0.1 * torque * rng.random() if rng.random() < 0.4 else 0.0
    return {'kind': 'friction', 'coordinate': coordinate, 'coulomb': dry, 'viscous': viscous,
            **({'transition_velocity': 0.05} if dry else {})}


def _spring(coordinate, stiffness, inertia, rest, rng):
    """Return a spring and damper of a coordinate, of a tenth of to twice critical damping."""
    damping = 2.0 * np.sqrt(stiffness * inertia) * 10.0 ** rng.uniform(-1.0, 0.3)
    return {'kind': 'spring_damper', 'coordinate': coordinate, 'stiffness': stiffness,
            'damping': damping, 'rest': rest}


def _wiper(scale: Scale, rng) -> dict[str, Any]:
    """Return a motor whose crank rocks a blade."""
    _, L, _ = scale
    forces, rotor = _motor(scale, rng, 'theta')
    crank = 0.05 * scale.mass
    forces['rubber'] = {'kind': 'friction', 'coordinate': 'blade_angle', 'coulomb': 0.0,
                        'viscous': 0.3 * forces['losses']['viscous'] * rng.random()}
    return {
        'points': {'A': {'fixed': [0.0, 0.0]}, 'B': {'fixed': [L, 0.0]},
                   'C': {'start': [0.15 * L, 0.2 * L]}, 'D': {'start': [0.9 * L, 0.55 * L]}},
        'bodies': {'crank': {'points': ['A', 'C'], 'length': 0.25 * L, 'mass': crank,
                             'centre_of_gravity': [0.0, 0.0],
                             'inertia': 0.01 * crank * L ** 2 + rotor},
                   'rod': {'points': ['C', 'D'], 'length': 0.9 * L, 'mass': 0.2 * scale.mass},
                   'blade': {'points': ['B', 'D'], 'length': 0.55 * L, 'mass': scale.mass}},
        'coordinates': {'theta': {'kind': 'angle', 'body': 'crank'},
                        'blade_angle': {'kind': 'angle', 'body': 'blade'}},
        'forces': forces, 'independent': ['theta'], 'start': {'theta': 0.9},
        'start_velocity': {'theta': float(rng.choice([0.0, 1.0])) * scale.pace}}


def _lamp(scale: Scale, rng) -> dict[str, Any]:
    """Return two arms that springs hold."""
    m, L, _ = scale
    return {
        'points': {'A': {'fixed': [0.0, 0.0]}, 'B': {'start': [0.3 * L, 0.9 * L]},
                   'C': {'start': [1.2 * L, 0.9 * L]}},
        'bodies': {'lower': {'points': ['A', 'B'], 'length': L, 'mass': m},
                   'upper': {'points': ['B', 'C'], 'length': 0.9 * L, 'mass': 0.7 * m}},
        'coordinates': {'lift': {'kind': 'angle', 'body': 'lower'},
                        'bend': {'kind': 'relative_angle', 'bodies': ['lower', 'upper']}},
        'forces': {
            'shoulder': _spring('lift', scale.torque * rng.uniform(4.0, 15.0), 3 * scale.inertia,
                                1.2 + rng.uniform(0.0, 0.4), rng),
            'elbow': _spring('bend', scale.torque * rng.uniform(1.5, 6.0), scale.inertia,
                             -1.2 + rng.uniform(0.0, 0.4), rng)},
        'independent': ['lift', 'bend'], 'start': {'lift': 1.2, 'bend': -1.2}}


def _press(scale: Scale, rng) -> dict[str, Any]:
    """Return a crank that moves a ram against a spring."""
    m, L, _ = scale
    forces, rotor = _motor(scale, rng, 'theta')
    forces['spring'] = _spring('stroke', scale.mass * GRAVITY / L * rng.uniform(0.2, 2.0), m,
                               1.2 * L, rng)
    return {
        'points': {'O': {'fixed': [0.0, 0.0]}, 'T': {'fixed': [0.0, L]},
                   'C': {'start': [0.15 * L, 0.1 * L]}, 'R': {'start': [0.0, L]},
                   'F': {'start': [0.0, 1.3 * L]}},
        'bodies': {'crank': {'points': ['O', 'C'], 'length': 0.2 * L, 'mass': m,
                             'centre_of_gravity': [0.0, 0.0],
                             'inertia': 0.02 * m * L ** 2 + rotor},
                   'rod': {'points': ['C', 'R'], 'length': 0.9 * L, 'mass': 0.3 * m},
                   'ram': {'points': ['R', 'F'], 'length': 0.3 * L, 'mass': m}},
        'coordinates': {'theta': {'kind': 'angle', 'body': 'crank'},
                        'stroke': {'kind': 'slider', 'point': 'R', 'along': ['O', 'T']}},
        'constraints': {'back': {'kind': 'slider', 'point': 'R', 'along': ['O', 'T']},
                        'front': {'kind': 'slider', 'point': 'F', 'along': ['O', 'T']}},
        'forces': forces, 'independent': ['theta'], 'start': {'theta': 0.6},
        'start_velocity': {'theta': float(rng.choice([0.0, 1.0])) * scale.pace}}


def _cart(scale: Scale, rng) -> dict[str, Any]:
    """Return a pendulum that swings under a cart between springs."""
    m, L, _ = scale
    return {
        'points': {'O': {'fixed': [0.0, 0.0]}, 'T': {'fixed': [L, 0.0]},
                   'A': {'start': [0.1 * L, 0.0]}, 'B': {'start': [0.4 * L, 0.0]},
                   'C': {'start': [0.3 * L, -L]}},
        'bodies': {'cart': {'points': ['A', 'B'], 'length': 0.3 * L, 'mass': 2.0 * m},
                   'pendulum': {'points': ['A', 'C'], 'length': L, 'mass': m}},
        'coordinates': {'way': {'kind': 'slider', 'point': 'A', 'along': ['O', 'T']},
                        'swing': {'kind': 'angle', 'body': 'pendulum'}},
        'constraints': {'back': {'kind': 'slider', 'point': 'A', 'along': ['O', 'T']},
                        'front': {'kind': 'slider', 'point': 'B', 'along': ['O', 'T']}},
        'forces': {'buffer': _spring('way', m * GRAVITY / L * rng.uniform(0.3, 5.0), 3 * m, 0.0,
                                     rng),
                   'hinge': _friction('swing', scale.inertia * 10.0 ** rng.uniform(-2.0, 0.3),
                                      scale.torque, rng)},
        'independent': ['way', 'swing'], 'start': {'way': 0.1 * L, 'swing': -0.6}}


def _arm(scale: Scale, rng) -> dict[str, Any]:
    """Return an arm of two links with geared motors."""
    m, L, _ = scale
    drive, rotor = _motor(scale, rng, 'shoulder')
    return {
        'points': {'A': {'fixed': [0.0, 0.0]}, 'B': {'start': [L, 0.2 * L]},
                   'C': {'start': [1.7 * L, 0.4 * L]}},
        'bodies': {'upper': {'points': ['A', 'B'], 'length': L, 'mass': m,
                             'centre_of_gravity': [L / 2, 0.0],
                             'inertia': scale.inertia / 4.0 + rotor},
                   'fore': {'points': ['B', 'C'], 'length': 0.8 * L, 'mass': 0.5 * m}},
        'coordinates': {'shoulder': {'kind': 'angle', 'body': 'upper'},
                        'elbow': {'kind': 'relative_angle', 'bodies': ['upper', 'fore']}},
        'forces': {
            **drive,
            'wrist': _friction('elbow', 0.2 * scale.inertia * 10.0 ** rng.uniform(-0.5, 1.5),
                               0.3 * scale.torque, rng)},
        'independent': ['shoulder', 'elbow'], 'start': {'shoulder': 0.2, 'elbow': 0.1}}


def _barrier(scale: Scale, rng) -> dict[str, Any]:
    """Return a beam that a spring balances and a motor lifts."""
    m, L, _ = scale
    balance = scale.torque * rng.uniform(0.6, 1.2)
    return {
        'points': {'A': {'fixed': [0.0, 0.0]}, 'P': {'start': [L, 0.05 * L]}},
        'bodies': {'beam': {'points': ['A', 'P'], 'length': L, 'mass': m}},
        'coordinates': {'lift': {'kind': 'angle', 'body': 'beam'}},
        'forces': {'spring': _spring('lift', balance, scale.inertia, 1.0 + rng.random(), rng),
                   'motor': _friction('lift', scale.inertia * 10.0 ** rng.uniform(-1.0, 1.0),
                                      scale.torque, rng)},
        'independent': ['lift'], 'start': {'lift': 0.05}}


def _rod(mass, length, along, radius=0.05):
    """Return a body in space: a cylinder from its origin along an axis."""
    end = [length * one for one in along]
    return {'points': {'near': [0.0, 0.0, 0.0], 'far': end}, 'mass': mass,
            'shapes': [{'kind': 'cylinder', 'from': [0.0, 0.0, 0.0], 'to': end,
                        'radius': radius * length}]}


def _chain(bodies, axes, forces, start, start_velocity=()):
    """Return bodies in space, each turning on the end of the one before, about axes."""
    joints, coordinates, before = {}, {}, 'ground'
    for (name, _), (angle, axis) in zip(bodies.items(), axes.items(), strict=True):
        at = ['O', 'near'] if before == 'ground' else ['far', 'near']
        joints[f'{angle}_joint'] = {'kind': 'revolute', 'bodies': [before, name], 'at': at,
                                    'axis': axis}
        coordinates[angle] = {'kind': 'angle', 'joint': f'{angle}_joint'}
        before = name
    return {'dimension': 3, 'ground': {'O': [0.0, 0.0, 0.0]}, 'bodies': bodies, 'joints': joints,
            'coordinates': coordinates, 'forces': forces, 'independent': list(axes),
            'start': start, 'start_velocity': dict(start_velocity)}


def _desk_lamp(scale: Scale, rng) -> dict[str, Any]:
    """Return a lamp in space: a base that turns, two arms that springs hold."""
    m, L, _ = scale
    bodies = {'base': _rod(0.5 * m, 0.2 * L, [0, 0, 1], 0.5), 'lower': _rod(m, L, [0, 0, 1]),
              'upper': _rod(0.7 * m, 0.9 * L, [1, 0, 0])}
    axes = {'turn': [0, 0, 1], 'lift': [0, 1, 0], 'bend': [0, 1, 0]}
    forces = {
        'bearing': _friction('turn', scale.inertia * 10.0 ** rng.uniform(-1.0, 0.7),
                             0.1 * scale.torque, rng),
        'shoulder': _spring('lift', scale.torque * rng.uniform(4.0, 15.0), 3 * scale.inertia,
                            rng.uniform(0.0, 0.4), rng),
        'elbow': _spring('bend', scale.torque * rng.uniform(1.5, 6.0), scale.inertia,
                         rng.uniform(-0.4, 0.0), rng)}
    return _chain(bodies, axes, forces, {'turn': 0.2, 'lift': 0.3, 'bend': -0.2},
                  {'turn': min(scale.pace, 3.0)})


def _door(scale: Scale, rng) -> dict[str, Any]:
    """Return a gate whose post leans, with a closer: a spring and a damper."""
    m, L, _ = scale
    lean = rng.uniform(0.05, 0.3)
    return _chain({'leaf': _rod(m, L, [1, 0, 0])}, {'swing': [float(lean), 0, 1]},
                  {'closer': _spring('swing', scale.torque * 10.0 ** rng.uniform(-1.5, 0.5),
                                     0.2 * scale.inertia, 0.0, rng),
                   'hinges': _friction('swing', scale.inertia * 10.0 ** rng.uniform(-2.0, 0.0),
                                       0.1 * scale.torque, rng)},
                  {'swing': 1.2})


def _loader(scale: Scale, rng) -> dict[str, Any]:
    """Return an arm in space: a column that turns, two links with geared motors."""
    m, L, _ = scale
    bodies = {'column': _rod(m, 0.4 * L, [0, 0, 1], 0.3), 'upper': _rod(m, L, [1, 0, 0]),
              'fore': _rod(0.5 * m, 0.8 * L, [1, 0, 0])}
    axes = {'turn': [0, 0, 1], 'shoulder': [0, -1, 0], 'elbow': [0, -1, 0]}
    forces, _ = _motor(scale, rng, 'shoulder')
    for name, share in (('turn', 1.0), ('elbow', 0.2)):
        forces[f'{name}_gear'] = _friction(
            name, share * scale.inertia * 10.0 ** rng.uniform(-0.5, 1.5),
            0.3 * share * scale.torque, rng)
    return _chain(bodies, axes, forces, {'turn': 0.3, 'shoulder': 0.4, 'elbow': -0.6},
                  {'turn': min(scale.pace, 2.0)})


def _carousel(scale: Scale, rng) -> dict[str, Any]:
    """Return a table that a motor turns, and a pendulum at its rim."""
    m, L, _ = scale
    motor, rotor = _motor(scale, rng, 'turn')
    bodies = {'table': {'points': {'near': [0, 0, 0], 'far': [0.5 * L, 0, 0]}, 'mass': 3.0 * m,
                        'centre_of_gravity': [0, 0, 0],
                        'inertia': [0.2 * m * L ** 2 + rotor, 0.2 * m * L ** 2 + rotor,
                                    0.4 * m * L ** 2 + rotor]},
              'pendulum': _rod(m, L, [0, 0, -1])}
    hinge = _friction('swing', scale.inertia * 10.0 ** rng.uniform(-2.0, 0.3), scale.torque, rng)
    return _chain(bodies, {'turn': [0, 0, 1], 'swing': [0, 1, 0]}, {**motor, 'hinge': hinge},
                  {'turn': 0.1, 'swing': 0.5})


KINDS: list[Callable[[Scale, Any], dict[str, Any]]] = [
    _wiper, _desk_lamp, _press, _cart, _door, _arm, _loader, _lamp, _barrier, _carousel]
