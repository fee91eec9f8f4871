"""What is made of the kinds beside this file: figures of the mechanism file bead.yaml, as JSON."""

import json
from pathlib import Path
import subprocess
import sys

import numpy as np

from mb_model import energy_balance, load_mechanism, make_stepper, simulate
from mb_model.kind_api import (
    ConstraintKind,
    ForceElement,
    formulations_table,
    schema_page,
    shapes_of,
)
from mb_simulation.prototypes import make_prototype

LENGTH, DT = 1.5, 1e-3


def error(function, *arguments):
    """Return the text of the error that a function raises, '' if it raises none."""
    try:
        function(*arguments)
    except ValueError as wrong:
        return str(wrong)
    return ''


def differences(question, values, step):
    """Return the derivatives of a question by values, columns, by central differences."""
    return np.transpose([(question(values + h) - question(values - h)) / (2.0 * step)
                         for h in step * np.eye(len(values))])


def derivatives(bead, z, zd):
    """Return the derivatives of the accelerations of the bead, and their differences."""
    A, B = bead.linearise(z, zd)
    parameters = bead.parameter_jacobian(
        z, zd, ['constraints.wire.curvature', 'forces.air.coefficient'])

    def changed(values):
        return bead.replace(constraints={'wire': {'curvature': float(values[0])}},
                            forces={'air': {'coefficient': float(values[1])}})

    return (A, B, parameters), (
        differences(lambda z: bead.forward_dynamics(z, zd), z, 1e-5),
        differences(lambda zd: bead.forward_dynamics(z, zd), zd, 1e-5),
        differences(lambda values: changed(values).forward_dynamics(z, zd),
                    np.array([0.4, 0.3]), 1e-5))


def errors(bead):
    """Return the words of refusals."""
    falling = load_mechanism('pendulum').replace(
        forces={'air': {'kind': 'drag', 'point': 'P', 'coefficient': 1.0}})
    held = bead.replace(
        points={'O': {'fixed': [0.0, 1.0]}}, independent=['theta'], start_velocity=None,
        bodies={'rod': {'points': ['O', 'P'], 'length': 1.1, 'mass': 1.0}})
    return {
        'point': error(lambda: bead.replace(constraints={'wire': {'point': 'X'}})),
        'key': error(lambda: bead.replace(forces={'air': {'size': 1.0}})),
        'bound': error(lambda: bead.replace(forces={'air': {'coefficient': -1.0}})),
        'kind': error(lambda: bead.replace(constraints={'wire': {'kind': 'helix'}})),
        'semi_recursive': error(make_stepper, held, 'semi_recursive'),
        'mujoco': error(make_prototype, 'mujoco', bead, LENGTH, DT),
        'mujoco, force': error(make_prototype, 'mujoco', falling, LENGTH, DT)}


def of_the_formulation(bead):
    """Return what the formulation `relaxed` gives, and where it is listed."""
    stepper = make_stepper(bead, 'relaxed', 'rk4', natural_frequency=20.0)
    listed = subprocess.run([sys.executable, '-m', 'mb_model.commands.simulate', '--help'],
                            check=True, capture_output=True, text=True).stdout
    start = {'qdd': stepper.qdd.copy(), 'forces': stepper.inverse_dynamics([1.0, 2.0]),
             'pin': stepper.reactions().forces['bead']['P']}
    for _ in range(round(LENGTH / DT)):
        stepper.step(DT)
    return start | {'end': (stepper.z, stepper.zd), 'table': formulations_table(), 'help': listed,
                    'dense only': error(make_stepper, load_mechanism('four_bar', 'sparse'),
                                        'relaxed')}


def main():
    """Print what comes out."""
    bead = load_mechanism(str(Path(__file__).with_name('bead.yaml')))
    model, stepper = bead.model[0], make_stepper(bead)
    stepper.reset(bead.z0, bead.zd0)
    reactions, run = stepper.reactions(), simulate(bead, LENGTH, DT)
    balance, prototype = energy_balance(run), make_prototype('multibody', bead, LENGTH, DT)
    prototype.advance()
    exact, by_differences = derivatives(bead, bead.z0, bead.zd0)
    figures = {
        'relaxed': of_the_formulation(bead),
        'forces': make_stepper(bead).inverse_dynamics([1.0, 2.0]),
        'q0': bead.q0, 'qdd': stepper.qdd, 'zdd': bead.forward_dynamics(bead.z0, bead.zd0),
        'derivatives': exact, 'differences': by_differences,
        'end': (run.z[-1], run.zd[-1]), 'prototype': (prototype.state.z, prototype.state.zd),
        'lost': balance.dissipated[-1], 'drift': abs(balance.drift).max(),
        'pin': reactions.forces['bead']['P'],
        'multiplier': reactions.multipliers['constraints.wire']}
    print(json.dumps(figures | {
        'kinds': (ConstraintKind(model['constraint_kind'][int(model['constraints']) - 1]).name,
                  ForceElement(model['force_kind'][0]).name),
        'page': schema_page(), 'shapes': len(shapes_of(bead, bead.q0)), 'errors': errors(bead),
    }, default=np.ndarray.tolist))


if __name__ == '__main__':
    main()
