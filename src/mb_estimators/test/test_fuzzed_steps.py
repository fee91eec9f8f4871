"""No reading, force or length of a step makes an estimate that is no number."""

from fuzzed_steps import MACHINES, MOTION, fuzzed
from hypothesis import settings
import pytest

from mb_estimators import available_filters
from mb_estimators.filter import needs_hydraulics
from mb_estimators.filters.bank import FilterBank
from mb_estimators.filters.motion_window import MotionWindow
from mb_estimators.plugins import filter_class
from mb_model import load_mechanism

pytestmark = [pytest.mark.fuzz, pytest.mark.whole]
THOROUGH = 1000         # examples of a test, from which on there are
MOTIONS = 1000          # of a filter in the plane: ten million steps of all
SLOWER = {'four_bar': 1, 'spatial_four_bar': 10, 'crane': 2}
CASES = [(machine, name) for machine in MACHINES
         for name in available_filters(load_mechanism(machine))
         if needs_hydraulics(filter_class(name)) == (machine == 'crane')]


def motions_of(machine, name):
    """Return how many motions of a filter there are: one, or as many as take about as long."""
    if settings.default.max_examples < THOROUGH:
        return 1
    kind = filter_class(name)
    slower = 300 if issubclass(kind, MotionWindow) else 10 if issubclass(kind, FilterBank) else 1
    return max(1, MOTIONS // (slower * SLOWER[machine]))


@pytest.mark.parametrize(('machine', 'name'), CASES)
def test_estimates_are_numbers_whatever_comes(machine, name, request, record_property):
    seed = int(request.config.getoption('--hypothesis-seed') or 0)
    found = fuzzed(machine, name, MOTION * motions_of(machine, name), seed)
    record_property('mutants', found.steps)
    assert not found.wrong
    assert found.steps > found.diverged + found.impossible
