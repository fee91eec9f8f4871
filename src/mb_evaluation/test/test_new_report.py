"""A new kind of report is one file: the terminal, Markdown, picture, page and verdict know it."""

from pathlib import Path

import numpy as np
from presented import presented
import pytest
from temperature_report import temperature_figures

from mb_evaluation import report_kinds, verdict
from mb_evaluation.report_kinds import kind_named
from mb_evaluation.reports.report import Bound, Report, beyond

TIME = np.arange(11.0)
RUN = {'spindle': (300.0 + 8.0 * TIME, 301.0 + 8.0 * TIME), 'feed': (300.0 + TIME, 300.0 + TIME)}


@pytest.fixture(autouse=True)
def _file_beside_the_others(monkeypatch):
    """Have the file temperature_report.py of this folder found as if it were in report_kinds."""
    monkeypatch.setattr(report_kinds, '__path__',
                        [*report_kinds.__path__, str(Path(__file__).parent)])


@pytest.mark.parametrize(('most', 'words', 'code'), [
    (400.0, 'PASSED: no motor above 400 K', 0),
    (360.0, 'FAILED: spindle 380 K, expected 360 or less', 1)])
def test_all_renderers_know_a_report_of_one_file(most, words, code, tmp_path, capsys):
    figures = temperature_figures(RUN, most)
    shown, page = presented(Report(kind_named('temperature'), figures, RUN), tmp_path)
    assert words in shown
    assert 'lathe: temperatures' in shown
    assert page.startswith(f'# lathe: temperatures\n\n**{words}**\n')
    assert '| spindle [K] | 1 | 380 |' in page
    html = (tmp_path / 'report.html').read_text('utf-8')
    for text in words, '<b>310 K</b>', 'Temperatures', 'machine lathe':
        assert text in html
    assert (tmp_path / 'report.png').read_bytes().startswith(b'\x89PNG')
    with pytest.raises(SystemExit) as ended:
        verdict.main([str(tmp_path)])
    assert ended.value.code == code
    assert (words.partition(': ')[2] in capsys.readouterr().err) == bool(code)


def test_a_kind_without_a_file_is_unknown():
    with pytest.raises(KeyError, match='humidity'):
        kind_named('humidity')


def test_bounds_say_what_is_beyond_them():
    assert beyond([Bound('a', 1.0, 2.0, 'm'), Bound('b', 2.0, 2.0, 'm'), Bound('c', None, 2.0, 'm'),
                   Bound('d', 0.9, 0.9, 'of the time', least=True)]) == []
    assert beyond([Bound('a', 2.5, 2.0, 'm'), Bound('d', 0.8, 0.9, 'of the time', least=True)]) == [
        'a 2.5 m, expected 2 or less', 'd 80.0% of the time, expected 90% or more']
