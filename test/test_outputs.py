"""Every filter gives on five recordings what was accepted: a change is seen, and accepted aloud."""

from dataclasses import replace

from outputs import ACCEPT, FOLDER, RECORDINGS, accepted, differences, outputs_of
import pytest

MOST = 300_000      # bytes that all files take


@pytest.mark.core
@pytest.mark.parametrize('name', RECORDINGS)
def test_filters_give_what_was_accepted(name):
    changed = differences(name, accepted(name), outputs_of(name))
    assert not changed, '\n'.join((*changed, f'If this is meant: {ACCEPT}, in the same commit.'))


def test_every_recording_makes_filters_differ():
    """Outputs that are all alike would guard nothing."""
    for name in RECORDINGS:
        last = {one.filter: one.value for one in accepted(name) if 'position' in one.quantity}
        assert len(last) >= 25
        assert len({f'{value:.9g}' for value in last.values()}) > len(last) // 2


def test_accepted_outputs_are_small():
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) < MOST


def changed_by(size, of='value'):
    """Return what is said of one output of error_ekf that changes by a size in deviations."""
    old = accepted('four_bar')
    k = next(k for k, one in enumerate(old)
             if one.filter == 'error_ekf' and one.quantity == 'theta velocity')
    new = list(old)
    new[k] = replace(old[k], **{of: getattr(old[k], of) + size * old[k].deviation})
    return differences('four_bar', old, new)


@pytest.mark.parametrize('of', ['value', 'deviation'])
def test_says_which_filter_quantity_and_by_how_much(of):
    line, = changed_by(0.25, of)
    assert line.startswith('error_ekf on four_bar: 1 of 12 outputs changed, most of all theta '
                           'velocity at 0.005 s, by 0.25 deviations: it was ')


@pytest.mark.parametrize('of', ['value', 'deviation'])
def test_rounding_of_another_processor_is_no_change(of):
    assert not changed_by(5e-7, of)
    assert changed_by(2e-6, of)


def test_a_value_that_is_none_is_a_change():
    assert changed_by(float('nan'))


def test_a_filter_that_comes_or_goes_is_a_change():
    old = accepted('crane')
    without = [one for one in old if one.filter != 'hydraulic_ekf']
    assert differences('crane', old, without) == [
        'hydraulic_ekf on crane: gives no outputs any more']
    assert differences('crane', without, old) == [
        'hydraulic_ekf on crane: has no accepted outputs']
    others = [one for one in old
              if (one.filter, one.quantity) != ('hydraulic_ekf', 's position')]
    assert differences('crane', old, others) == ['hydraulic_ekf on crane: gives other quantities']
