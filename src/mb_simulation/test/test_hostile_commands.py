"""Commands to a prototype under whatever numbers and stamps: refused in words, or possible."""

import math

from hypothesis import given, settings, strategies as st
import numpy as np

from mb_model import load_mechanism
from mb_simulation.prototypes.held_commands import HeldCommands
from mb_simulation.prototypes.parameters import with_parameters

CRANE = load_mechanism('crane')
HOUR = 3_600_000_000_000        # [ns]
NUMBERS = st.one_of(st.floats(), st.floats(-100.0, 100.0), st.sampled_from(
    [1e308, math.inf, -math.inf, math.nan, 5e-324, 1e30]))
STAMPS = st.one_of(st.integers(0, 2**62), st.integers(0, 10**10))


@settings(deadline=None, max_examples=150)
@given(value=NUMBERS, name=st.sampled_from(['load', *CRANE.parameters, 'knee']))
def test_a_parameter_is_refused_or_leaves_a_mechanism_that_moves(value, name):
    held = HeldCommands(CRANE)
    try:
        held.add_parameters(0, [name], [value])
    except ValueError:
        assert held.rejected == 1
        return
    assert math.isfinite(value)
    moved = with_parameters(CRANE, {name: value})
    assert np.isfinite(moved.forward_dynamics(moved.z0, moved.zd0)).all()


@settings(deadline=None, max_examples=150)
@given(commands=st.lists(st.tuples(STAMPS, NUMBERS), max_size=30), now=st.integers(1, 10**11))
def test_valves_get_possible_commands_and_none_from_another_time(commands, now):
    """However many there are: commands of right times act in their order."""
    held, taken = HeldCommands(CRANE), []
    held._commands.at(now)
    valve, = CRANE.circuit.valves
    for stamp, value in commands:
        try:
            held.add_valves(stamp, [valve], [value])
        except ValueError:
            assert not -1.0 <= value <= 1.0 or stamp > now + HOUR
        else:
            assert stamp <= now + HOUR
            taken.append((max(stamp, now) if stamp < now else stamp, value))
    assert held.rejected == len(commands) - len(taken)
    if taken:
        assert held._commands.at(2**62)[valve] in [value for _, value in taken]
