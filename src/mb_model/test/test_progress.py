"""Lines about work that takes long, where stderr is no terminal: when, and what they say."""

import re
import time

import pytest

from mb_model.simulation import progress
from mb_model.simulation.progress import ProgressLines, with_progress, working


@pytest.fixture
def hurried(monkeypatch):
    """Let lines come early, so that a test need not wait."""
    monkeypatch.setattr(progress, 'FIRST', 0.05)
    monkeypatch.setattr(progress, 'PERIOD', 0.1)


def test_lines_come_after_two_seconds_and_every_ten(capsys):
    """Steps of half a second, 100 of them: at 2, 12, 22, 32 and 42 s, none at the end."""
    times = iter([0.5 * k for k in range(102)])
    lines = ProgressLines(100, 'four_bar', lambda: next(times))
    for k in range(100):
        lines.reach(k + 1, f'best {k}')
    said = capsys.readouterr().err.splitlines()
    assert said[0] == 'four_bar: 4 of 100 in 2 s, at most about 48 s left; best 3'
    assert [int(re.search('in ([0-9]+) s', line)[1]) for line in said] == [2, 12, 22, 32, 42]


def test_quick_work_says_nothing(capsys):
    assert list(with_progress(1000, 'readings')) == list(range(1000))
    with working('fitting'):
        pass
    assert capsys.readouterr().err == ''


def test_slow_steps_have_lines_unless_they_are_not_to_be_shown(capsys, hurried):
    for shown in (False, True):
        for _ in with_progress(8, 'readings', shown):
            time.sleep(0.05)
        said = capsys.readouterr().err.splitlines()
        assert bool(said) == shown
        assert all(re.match('readings: [1-7] of 8 in 0 s', line) for line in said)


def test_work_of_unknown_length_has_lines_until_it_ends(capsys, hurried):
    def fit():
        with working('fitting'):
            time.sleep(0.4)
            raise ValueError('no fit')
    with pytest.raises(ValueError, match='no fit'):
        fit()
    said = capsys.readouterr().err.splitlines()
    assert 2 <= len(said) <= 5
    assert set(said) == {'fitting: 0 s so far'}
    time.sleep(0.2)
    assert capsys.readouterr().err == ''
