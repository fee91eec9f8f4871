"""Pages for the browser: few points that keep the peaks, and a file that needs no other."""

import base64
import json
import re

from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays
import numpy as np
import pytest

from mb_evaluation.panels.panel import Band, Curve, Panel
from mb_evaluation.panels.plotly_backend import kept, packed, trace
from mb_evaluation.report_kinds.accuracy_report import REPORT, accuracy_figures, accuracy_rows
from mb_evaluation.reports.browser_page import write_page
from mb_evaluation.reports.report import Drawn, Report, ReportKind, Section, Table, Tile

ASKED = {'mechanism': 'four_bar', 'estimator': 'error_ekf', 'sensors': ['crank_encoder'], 'seed': 3,
         'prototype': 'mujoco'}
NUMBERS = arrays(float, st.integers(0, 300), elements=st.floats(-1e6, 1e6) | st.just(np.nan))
RANGES = ('document.body.dataset.times = JSON.stringify('
          'linked.map((div) => div._fullLayout.xaxis.range))')


def unpacked(array):
    return np.frombuffer(base64.b64decode(array['bdata']), '<f4')


def accuracy_file(run, folder):
    """Return the page of a run as a file, and its report."""
    figures = accuracy_figures(run, ASKED, {'nees': 100.0}, '2026-01-01T00:00:00')
    report = Report(REPORT, figures, run)
    write_page(report, REPORT.draw(run, figures), folder / 'report.html')
    return folder / 'report.html', figures


def page_of(panels, folder, words='t'):
    """Return a page with panels as a file; words: of all its texts."""
    kind = ReportKind('any', lambda _: words, lambda _: [Table((words,), [])], None,
                      lambda _: words, tiles=lambda _: [Tile(words, words, words)])
    write_page(Report(kind, {'duration': 3600.0, 'complaint': words}),
               Drawn([Section('s', panels)], None), folder / 'page.html')
    return folder / 'page.html'


@given(NUMBERS, st.integers(2, 60))
def test_few_points_keep_order_and_peaks(values, most):
    chosen = kept(values, most)
    assert len(chosen) <= max(most, 2)
    assert (np.diff(chosen) > 0).all()
    for extreme in (np.fmin, np.fmax):
        np.testing.assert_array_equal(extreme.reduce(values[chosen], initial=np.nan),
                                      extreme.reduce(values, initial=np.nan))


def test_every_part_of_a_long_signal_keeps_its_own_peaks():
    values = np.sin(np.linspace(0.0, 40.0 * np.pi, 20_000))
    chosen = kept(values, 400)
    course = np.interp(np.arange(20_000), chosen, values[chosen])
    assert np.abs(course - values).max() < 0.35         # of steps of a tenth of a period
    for begin in range(0, 20_000, 1000):                # one period
        part = values[chosen[(chosen >= begin) & (chosen < begin + 1000)]]
        assert part.max() == pytest.approx(1.0, abs=1e-3)


def test_a_band_reaches_as_far_as_it_ever_does():
    x = np.arange(1000.0)
    low, high = np.where(x == 333, -9.0, -1.0), np.where(x == 777, 7.0, 1.0)
    high[5] = np.nan
    drawn = trace(Band('band', x, low, high), 20)
    y = unpacked(drawn['y'])
    assert (y.min(), y.max()) == (-9.0, 7.0)
    assert len(y) <= 40


def test_a_page_of_a_long_run_stays_small(tmp_path):
    """An hour at 1 kHz of one curve; a page of sixty short ones."""
    long = np.arange(3_600_000.0)
    curve = Curve('a', long, long, 'observer')
    short = Curve('a', long[:20_000], long[:20_000], 'observer')
    for panels in ([Panel('one', 'm', (curve,))], [Panel('one', 'm', (short,) * 3)] * 20):
        assert page_of(panels, tmp_path).stat().st_size < 6_000_000


def test_text_of_a_run_is_no_html(tmp_path):
    words = '<b>$x</b><script>alert(1)</script>'
    text = page_of([], tmp_path, words).read_text('utf-8')
    assert '<script>alert' not in text
    assert text.count('&lt;b&gt;$x') == 8       # title twice, verdict, tile, heading, figures
    report, = re.findall(r'<script id="report"[^>]*>(.*?)</script>', text)
    assert json.loads(report) == {'duration': 3600.0, 'complaint': words}


def test_numbers_arrive_as_they_are():
    values = np.array([1.0, -2.5e-7, np.nan, 6e6])
    np.testing.assert_allclose(unpacked(packed(values)), values, rtol=1e-7)


@pytest.mark.parametrize('size', ['1400,900', '500,844'])
def test_a_browser_draws_every_curve_and_asks_for_nothing(size, filled_run, tmp_path, opened):
    run = filled_run()
    for stamp in run.expected[1:].tolist():
        run.add_parameter(stamp, 'gravity.y', -9.7, 0.1)
    run.parameters['gravity.y'].truth = -9.81
    file, report = accuracy_file(run, tmp_path)
    page = opened(file, size=size)
    assert page.console == []
    assert page.requests == []
    # Motion; errors with bands of position and velocity, without of acceleration; innovation, NIS,
    # spectrum; the parameter with its band.
    assert page.traces == 3 + 2 + 2 + 1 + 3 + 2
    assert [tuple(row) for row in page.rows[1:]] == accuracy_rows(report)
    written, = re.findall(r'<script id="report"[^>]*>(.*?)</script>', page.dom)
    assert json.loads(written) == json.loads(json.dumps(report))
    assert 'FAILED' in page.dom or 'PASSED' in page.dom


def test_time_axes_move_together_and_the_looks_change(filled_run, tmp_path, opened):
    file, _ = accuracy_file(filled_run(), tmp_path)
    page = opened(file, 'document.getElementById("theme").click();'
                  'Plotly.relayout(linked[0], {"xaxis.range": [1, 2]}).then(() => setTimeout('
                  '() => {' + RANGES + '}, 1000))')
    assert page.console == []
    assert json.loads(page.body['data-times']) == [[1, 2]] * 6
    assert 'data-theme="dark"' in page.dom


def test_a_diverged_observer_has_a_page_too(filled_run, tmp_path, opened):
    page = opened(accuracy_file(filled_run(observer_error=np.nan), tmp_path)[0])
    assert page.console == []
    assert 'class="verdict failed"' in page.dom
    written, = re.findall(r'<script id="report"[^>]*>(.*?)</script>', page.dom)
    json.loads(written, parse_constant=pytest.fail)
