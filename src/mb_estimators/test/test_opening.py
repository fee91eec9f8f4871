"""One or two wrong first rows, as of a device that has just been switched on, do no harm."""

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
from streamed import stream_of

from mb_estimators import available_filters
from mb_model import load_mechanism

START, STEP, COUNT = 1_000_000_000, 10_000_000, 120
SENSORS = 'lift', 'reach'
BOOM = """
name: boom_with_arm
points:
  O: {fixed: [0.0, 0.0]}
  G: {fixed: [0.35, -0.7]}
  H: {start: [0.5, -0.1]}
  K: {start: [1.8, 0.0]}
  U: {start: [1.0, 0.35]}
  V: {start: [2.1, 0.25]}
  E: {start: [3.0, 0.0]}
bodies:
  boom: {points: {O: [0, 0], K: [1.8, 0], H: [0.5, -0.1], U: [1.0, 0.35]}, mass: 70.0,
    centre_of_gravity: [0.8, 0.0], inertia: 30.0}
  arm: {points: {K: [0, 0], E: [1.2, 0], V: [0.3, 0.25]}, mass: 30.0, centre_of_gravity: [0.5, 0.0],
    inertia: 6.0}
coordinates: {s: {kind: distance, points: [G, H]}, r: {kind: distance, points: [U, V]}}
independent: [s, r]
sensors:
  lift: {kind: linear_encoder, coordinate: s, sigma: 1.0e-5, rate: 100.0}
  reach: {kind: linear_encoder, coordinate: r, sigma: 1.0e-5, rate: 100.0}
"""
# pulse_ekf does not follow this motion, whatever the first row is.  From so wide a start points of
# chaos_ekf are beyond what the boom reaches, and it says that it has diverged.
OTHERS = {'pulse_ekf', 'chaos_ekf'}
RUBBISH = {'one number is plausible': np.array([-31.2, 0.1]), 'none is': np.array([700.0, -31.2])}


@pytest.fixture(scope='module')
def boom(tmp_path_factory):
    path = tmp_path_factory.mktemp('machine') / 'boom.yaml'
    path.write_text(BOOM)
    return load_mechanism(str(path))


def readings(boom):
    """Return rows (k, 2) of a machine that sways from its start."""
    t, rng = 1e-9 * STEP * np.arange(COUNT), np.random.default_rng(4)
    sway = 0.02 * np.c_[1.0 - np.cos(2.0 * t), np.sin(2.0 * t) ** 2]
    return boom.z0 + sway + 1e-5 * rng.normal(size=(COUNT, 2))


def run(boom, name, rows, begin=0, order=SENSORS, **values):
    """Return a stream after rows from `begin` on, the last Step, and reports."""
    reports = []
    stream = stream_of(boom, SENSORS, name, problems=reports, filter_dt=1e-9 * STEP, **values)
    steps = []
    for k in range(begin, len(rows)):
        for sensor in order:
            steps += stream.add(sensor, START + k * STEP, (rows[k, SENSORS.index(sensor)],))
    return stream, steps, reports


@pytest.mark.parametrize('wrong', RUBBISH.values(), ids=RUBBISH)
def test_a_wrong_first_row_is_left_out_by_every_filter(boom, wrong):
    rows = readings(boom)
    for name in set(available_filters(boom)) - OTHERS:
        alone, right, _ = run(boom, name, rows, 1)
        stream, steps, reports = run(boom, name, np.vstack([boom.z0 + wrong, rows[1:]]))
        np.testing.assert_allclose(steps[-1].estimate.z, right[-1].estimate.z, atol=1e-3,
                                   err_msg=name)
        assert 1 <= stream.state.counts.rejected <= alone.state.counts.rejected + 6, name
        assert stream.state.counts.used + stream.state.counts.rejected == 2 * COUNT, name
        assert any('first readings' in text or 'incredible' in text or 'impossible' in text
                   for text in reports), name


PLAUSIBLE = (0.05, -0.03), (0.02, 0.0), (0.0, 0.005), (0.001, -0.001), (-0.1, 0.05), (0.2, 0.2)


@pytest.mark.parametrize('wrong', PLAUSIBLE)
def test_so_is_one_that_is_wrong_by_little(boom, wrong):
    """The start does not deny it; a velocity, or an acceleration, fits it to the next ones."""
    rows = readings(boom)
    for name in set(available_filters(boom)) - OTHERS:
        alone, right, _ = run(boom, name, rows, 1)
        if alone.state.diverged:
            continue
        stream, steps, _ = run(boom, name, np.vstack([boom.z0 + wrong, rows[1:]]))
        assert not stream.state.diverged, name
        assert not steps[-1].lost or right[-1].lost, name
        np.testing.assert_allclose(steps[-1].estimate.z, right[-1].estimate.z, atol=1e-4,
                                   err_msg=name)
        assert stream.state.counts.rejected <= alone.state.counts.rejected + 7, name


@settings(max_examples=30, deadline=None)
@given(st.floats(-5.0, 1.0), st.floats(-1.0, 1.0), st.floats(-1.0, 1.0),
       st.sampled_from(['kinematic_kf', 'error_ekf_fe', 'fixed_lag_smoother', 'ukf', 'adekf']))
def test_the_size_of_what_is_wrong_does_not_matter(boom, exponent, lift, reach, name):
    rows = readings(boom)
    rows[0] = boom.z0 + 10.0 ** exponent * np.array([lift, reach])
    stream, steps, _ = run(boom, name, rows)
    assert not stream.state.diverged
    assert not steps[-1].lost
    assert np.abs(steps[-1].estimate.z - rows[-1]).max() < 1e-3


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 3), st.lists(st.floats(-50.0, 50.0), min_size=6, max_size=6),
       st.sampled_from(['kinematic_kf', 'error_ekf_fe', 'error_ekf', 'moving_horizon']))
def test_rows_of_rubbish_at_the_start_end_no_filter_in_silence(boom, count, values, name):
    rows = readings(boom)
    rows[:count] = boom.z0 + np.reshape(values, (3, 2))[:count]
    stream, steps, _ = run(boom, name, rows)
    assert stream.state.diverged or steps[-1].lost or np.abs(
        steps[-1].estimate.z - rows[-1]).max() < 1e-3
    if count == 1:
        assert not stream.state.diverged
        assert not steps[-1].lost


@pytest.mark.parametrize('name', ['kinematic_kf', 'error_ekf_fe', 'error_ekf', 'ukf',
                                  'fixed_lag_smoother', 'moving_horizon'])
def test_right_first_rows_are_all_used(boom, name):
    """Also where the start is known badly, or a later row is wild."""
    rows = readings(boom)
    for change in (0.0, 0.02):
        stream, _, reports = run(boom, name, rows + change)
        assert not [text for text in reports if 'first readings' in text]
        assert stream.state.counts.rejected == 0
    rows[30] += (5.0, 0.0)
    stream, _, reports = run(boom, name, rows)
    assert stream.state.counts.rejected <= 1
    assert not [text for text in reports if 'first readings' in text]


def test_it_does_not_depend_on_the_order_of_arrival_nor_on_a_history(boom):
    rows = readings(boom)
    rows[0] = boom.z0 + RUBBISH['one number is plausible']
    found = [run(boom, 'kinematic_kf', rows, order=order, **values)[1][-1].estimate.z
             for order in (SENSORS, SENSORS[::-1]) for values in ({}, {'history_length': 0.05})]
    for one in found[1:]:
        np.testing.assert_array_equal(one, found[0])
