"""No step reads what another one left in the scratch of its workspace: poisoned, it is the same."""

import numpy as np
import pytest

from mb_model import StepError, load_mechanism, make_stepper
from mb_model.integration.registry import FORMULATIONS
from mb_model.jit import poison, record_type_of

# What outlives a step; everything else is scratch, or follows from these.
KEPT = {
    't', 'q', 'qd', 'qdd', 'z', 'zd', 'zdd', 'lam', 'M', 'shares',
    'forces', 'forces_used', 'coordinate_forces', 'coordinate_forces_used',
    'loads', 'load_kind', 'load_index', 'load_value', 'loads_changed',
    'natural_frequency', 'damping_ratio', 'penalty', 'newton_tolerance', 'iterations'}
# The joint coordinates are a state, too; the tree's poses and rates are theirs, the ground's first.
KEPT_OF_TREE = {'s', 'sd', 'turn', 'joint_independent', 'joint_dependent', 'closing_rows', 'pose',
                'axis_dot', 'twist', 'twist_dot', 'flow', 'cluster_order'}
STEPS = 50
POISONS = (np.nan, 1.0, -3e4)      # a number passes where NaN would be noticed


def cases():
    """Return (mechanism, storage, formulation, integrator) of all that there is."""
    for name, storage in (('five_bar', 'dense'), ('four_bar_spring_damper', 'dense'),
                          ('slider_crank', 'dense'), ('four_bar', 'sparse'),
                          ('six_axis_arm', 'dense'), ('stewart', 'dense')):
        for formulation, kind in FORMULATIONS.items():
            if storage == 'dense' or 2 in kind.sparse_dimensions:
                yield from ((name, storage, formulation, integrator)
                            for integrator in kind.integrators)
    yield from (('stewart', 'sparse', formulation, integrator)
                for formulation, kind in FORMULATIONS.items() if 3 in kind.sparse_dimensions
                for integrator in kind.integrators)


def states(stepper, kept, value=np.nan):
    """Return the states after each of some steps, as bytes; kept: None: nothing is poisoned."""
    start = 1e-3 * np.random.default_rng(1).standard_normal(stepper.mechanism.g)
    stepper.reset(stepper.mechanism.z0 + start)
    for k in range(STEPS):
        stepper.forces[:] = np.cos(k + np.arange(stepper.mechanism.g))
        if kept is not None:
            poison(stepper.work, set(record_type_of(stepper.work).fields) - kept, value)
        stepper.step(1e-3)
        yield b''.join(array.tobytes() for array in (stepper.q, stepper.qd, stepper.qdd))


@pytest.mark.parametrize(('name', 'storage', 'formulation', 'integrator'), list(cases()))
def test_steps_read_no_scratch_of_others(name, storage, formulation, integrator):
    mechanism = load_mechanism(name, storage)
    kept = KEPT | (KEPT_OF_TREE if formulation == 'semi_recursive' else set())
    untouched = list(states(make_stepper(mechanism, formulation, integrator), None))
    for value in POISONS:
        poisoned = states(make_stepper(mechanism, formulation, integrator), kept, value)
        assert list(poisoned) == untouched, f'left in scratch: {value}'


@pytest.mark.parametrize('formulation', FORMULATIONS)
def test_poison_is_found(formulation):
    """What a step reads must not be poisoned."""
    stepper = make_stepper(load_mechanism('five_bar'), formulation)
    with pytest.raises(StepError):
        list(states(stepper, (KEPT | KEPT_OF_TREE) - {'q'}))
