"""Panels: both backends draw the numbers, marks and axes that one description has."""

import base64

import numpy as np
import pytest

from mb_evaluation.panels.matplotlib_backend import draw, label_across, new_figure
from mb_evaluation.panels.panel import (
    DARK,
    LIGHT,
    Band,
    Curve,
    Panel,
    between,
    level,
    moment,
    region,
)
from mb_evaluation.panels.plotly_backend import drawn

X = np.linspace(0.0, 2.0, 41)
LINE = Curve('line', X, np.sin(X), 'observer', dash='dash')
DOTS = Curve('dots', X[::4], np.cos(X[::4]), 'model/0.5', dots=True)
STEPS = Curve('steps', X[::10], X[::10], 'good', held=True)
BAND = Band('band', X, np.sin(X) - 0.1, np.sin(X) + 0.1)
MARKS = (region(0.5, 1.0, 'good/0.2', 'marked'), between(-0.25, 0.25, 'band/0.35'),
         level(0.75, 'truth', 'bound', 'dot', 2.0), moment(1.5, 'faint'))
PANEL = Panel('title', 'm', (BAND, LINE, DOTS, STEPS), MARKS, (-2.0, 2.0), note='a note')


@pytest.fixture
def axes():
    return new_figure(6.0, 4.0).subplots()


def unpacked(array):
    return np.frombuffer(base64.b64decode(array['bdata']), '<f4')


def test_a_picture_has_the_numbers_of_the_panel(axes):
    draw(axes, PANEL)
    lines = {line.get_label(): line for line in axes.get_lines()}
    for curve in (LINE, DOTS, STEPS):
        np.testing.assert_array_equal(lines[curve.name].get_xydata(), np.c_[curve.x, curve.y])
    assert lines['steps'].get_drawstyle() == 'steps-post'
    assert (lines['dots'].get_marker(), lines['dots'].get_alpha()) == ('.', 0.5)
    band, = axes.collections
    corners = band.get_paths()[0].get_extents()
    assert (corners.y0, corners.y1) == (BAND.low.min(), BAND.high.max())


def test_a_page_has_the_numbers_of_the_panel():
    band, *curves = drawn(PANEL, 1000)['data']
    for curve, trace in zip((LINE, DOTS, STEPS), curves, strict=True):
        np.testing.assert_allclose(unpacked(trace['x']), curve.x, rtol=1e-6)
        np.testing.assert_allclose(unpacked(trace['y']), curve.y, rtol=1e-6, atol=1e-7)
    assert [one.get('mode') for one in curves] == ['lines', 'markers', 'lines']
    assert curves[2]['line']['shape'] == 'hv'
    y = unpacked(band['y'])
    np.testing.assert_allclose((y.min(), y.max()), (BAND.low.min(), BAND.high.max()), rtol=1e-6)


def test_both_mark_the_same_places(axes):
    draw(axes, PANEL)
    stripes = [patch.get_extents().transformed(axes.transData.inverted())
               for patch in axes.patches]
    lines = {tuple(line.get_xdata()): line for line in axes.get_lines()}
    shapes = drawn(PANEL, 1000)['marks']
    assert [one['type'] for one in shapes] == ['rect', 'rect', 'line', 'line']
    assert (stripes[0].x0, stripes[0].x1) == pytest.approx((shapes[0]['x0'], shapes[0]['x1']))
    assert (stripes[1].y0, stripes[1].y1) == pytest.approx((shapes[1]['y0'], shapes[1]['y1']))
    assert list(lines[0, 1].get_ydata()) == [shapes[2]['y0'], shapes[2]['y1']] == [0.75, 0.75]
    assert list(lines[1.5, 1.5].get_ydata()) == [shapes[3]['y0'], shapes[3]['y1']] == [0, 1]
    named = set(axes.get_legend_handles_labels()[1])
    assert named == {one['name'] for one in drawn(PANEL, 9)['data']} | {
        one['name'] for one in shapes if 'name' in one}


def test_both_show_the_same_reach_and_axes(axes):
    panel = Panel('spectrum', 'dB', (LINE,), reach=(0.5, 8.0), across='frequency',
                  across_unit='Hz', log=True)
    draw(axes, panel)
    label_across(axes, panel)
    page = drawn(panel, 9)
    assert axes.get_ylim() == (0.5, 8.0)
    assert page['up']['range'] == pytest.approx(np.log10((0.5, 8.0)))
    assert (axes.get_yscale(), page['up']['type']) == ('log', 'log')
    assert (axes.get_xlabel(), page['across']) == ('frequency [Hz]', 'Hz')
    assert drawn(PANEL, 9)['across'] == 'time'


def test_a_reach_that_is_no_number_is_left_to_the_data(axes):
    panel = Panel('p', 'm', (LINE,), reach=(np.nan, 1.0))
    draw(axes, panel)
    assert np.isfinite(axes.get_ylim()).all()
    assert 'range' not in drawn(panel, 9)['up']


def test_both_looks_have_all_colours():
    assert LIGHT.keys() == DARK.keys()
