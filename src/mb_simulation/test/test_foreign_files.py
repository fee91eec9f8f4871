"""Files that parameters name: errors are ValueErrors, and quote nothing of what is foreign."""

from hypothesis import HealthCheck, given, settings, strategies as st
import numpy as np
import pytest

from mb_model import WorkCycle, load_mechanism
from mb_sensors.sources.intake import load_calibration
from mb_simulation.collisions import read_collisions
from mb_simulation.control.splines import trajectory_file

SECRET = 'hunter2secret'
PARTS = st.one_of(st.just(SECRET), st.text(max_size=6), st.sampled_from([
    ': ', '\n', '- ', '&', '*', '!', '!!int ', '!!timestamp ', '[', ']', '{', '}', '"', "'", '\t',
    '|', '#', 'key: ', 'password: ', '2026-99-99 ', ',', '1.0', 'x,', '\0', '\r', ';']))
CRANE, ROBOT = load_mechanism('crane'), load_mechanism('three_rrr')
READERS = {
    'collisions': read_collisions,
    'calibration': lambda path: load_calibration(path, CRANE),
    'work cycle': lambda path: WorkCycle.load(path, CRANE),
    'trajectory': lambda path: trajectory_file(path, ROBOT, np.zeros(3), None)}


@pytest.mark.fuzz
@pytest.mark.parametrize('kind', READERS)
@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(parts=st.lists(PARTS, max_size=12))
def test_errors_quote_nothing_of_foreign_files(kind, parts, tmp_path_factory):
    file = tmp_path_factory.getbasetemp() / 'foreign.csv'
    file.write_text(''.join(parts), encoding='utf-8', errors='replace')
    try:
        READERS[kind](str(file))
    except ValueError as error:
        words = str(error)
    else:
        assert not ''.join(parts).strip() or kind == 'calibration'
        return
    assert words
    assert SECRET not in words


@pytest.mark.parametrize('kind', ['collisions', 'calibration'])
@pytest.mark.parametrize('path', ['x' * 300, '/', '/etc/passwd', '~nosuchuser/a', '../..'])
def test_paths_are_refused_in_words(kind, path):
    with pytest.raises(ValueError, match=r'.') as caught:
        READERS[kind](path)
    assert 'root:' not in str(caught.value)
