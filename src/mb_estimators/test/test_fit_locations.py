"""Lengths and points by readings alone: kinematic calibration, in plane and space."""

import numpy as np
import pytest

from mb_estimators import FitError, ReadingSettings, Recording, fit_readings
from mb_estimators.commands.fit_to_readings import split_words
from mb_estimators.fitting.locations import location_deviations, location_paths
from mb_model import load_mechanism
from mb_sensors import sensors_of, true_values

SIGMA, STEP = 1e-3, 0.01
LINKAGE = load_mechanism('four_bar').replace(sensors={
    'crank_encoder': {'sigma': SIGMA},
    'rocker_encoder': {'kind': 'angle_encoder', 'body': 'rocker', 'sigma': SIGMA, 'rate': 100.0},
    'tracker': {'kind': 'position', 'point': 'P2', 'sigma': SIGMA, 'rate': 100.0}})
CRANK = load_mechanism('spatial_slider_crank').replace(bodies={
    name: {'variable_places': True} for name in ('crank', 'rod', 'slider')})


def calibrated(file, true, sensors, words, sigmas):
    """Return the fit of places to noisy readings of a machine that is driven around."""
    t = np.arange(0.0, 6.0, STEP)
    z = (true.z0[0] + t + 0.3 * np.sin(2.0 * t))[:, np.newaxis]
    zd = (1.0 + 0.6 * np.cos(2.0 * t))[:, np.newaxis]
    q, states = true.q0, []
    for position, rate in zip(z, zd, strict=True):
        q = true.assemble(position, q)
        states.append((q, true.velocity(q, rate)))
    q, qd = map(np.array, zip(*states, strict=True))
    readings = np.hstack([true_values(true, one, q, qd, 0.0 * qd)
                          for one in sensors_of(true, sensors)])
    readings += sigmas * np.random.default_rng(0).standard_normal(readings.shape)
    noises, _, places = split_words(file, words, ())
    return fit_readings(file, sensors_of(file, sensors),
                        [Recording(np.round(1e9 * t).astype(np.int64), readings)], STEP, noises,
                        location_deviations(file, places), ReadingSettings(acceleration_psd=3.0))


def missed(found, true):
    """Return the errors of what is known, in deviations."""
    known = [one for one in found.numbers if one.is_known]
    truth = true.parameter_records([one.path for one in known])['value']
    return [(one.value - value) / one.deviation for one, value in zip(known, truth, strict=True)]


def test_lengths_and_bearings_of_a_linkage_are_found():
    """By encoders and a tracker of a point; the bodies' lengths in the file are off by 1 %."""
    true = LINKAGE.replace(bodies={'crank': {'length': 2.03}, 'coupler': {'length': 7.9}},
                           points={'B': {'fixed': [10.05, 0.04]}, 'A': {'fixed': [-0.03, 0.02]}})
    found = calibrated(LINKAGE, true, ['crank_encoder', 'rocker_encoder', 'tracker'], ['places'],
                       SIGMA)
    assert len(found.numbers) == 7
    errors = missed(found, true)
    assert len(errors) >= 5
    assert np.max(np.abs(errors)) < 3.5
    assert found.values['bodies.coupler.length'] == pytest.approx(7.9, abs=0.01)
    assert found.values['bodies.crank.length'] == pytest.approx(2.03, abs=0.003)


def test_what_angles_alone_do_not_show_is_the_files():
    """A linkage of twice the size has the same angles."""
    true = LINKAGE.replace(bodies={'crank': {'length': 2.03}})
    found = calibrated(LINKAGE, true, ['crank_encoder', 'rocker_encoder'], ['places'], SIGMA)
    assert any('the readings do not determine points.A.fixed.x' in note for note in found.notes)
    values = found.values
    assert values['bodies.crank.length'] / values['bodies.rocker.length'] == pytest.approx(
        2.03 / 5.0, rel=0.005)


def test_names_and_points_of_a_machine_in_space_are_found():
    true = CRANK.replace(parameters={'crank': 0.081}, ground={'A': [0.0, 0.102, 0.12]})
    found = calibrated(CRANK, true, ['crank_encoder', 'slider_encoder', 'rod_gyro'],
                       ['crank', 'ground.A.y'], [2e-3, 2e-4, 2.7e-3, 2.7e-3, 2.7e-3])
    assert found.values['crank'] == pytest.approx(0.081, abs=4e-4)


def test_the_group_means_what_the_machine_depends_on():
    assert set(location_paths(LINKAGE, 'places')) == {
        'points.A.fixed.x', 'points.A.fixed.y', 'points.B.fixed.x', 'points.B.fixed.y',
        'bodies.crank.length', 'bodies.coupler.length', 'bodies.rocker.length'}
    assert location_paths(LINKAGE, 'points.B.*') == ['points.B.fixed.x', 'points.B.fixed.y']
    assert location_paths(LINKAGE, 'masses') == location_paths(LINKAGE, 'bodies.crank.*') == []
    in_space = location_paths(CRANK, 'bodies.crank.points.*')
    assert 'crank' in in_space
    assert 'bodies.crank.points.B.x' in in_space
    assert set(location_deviations(LINKAGE, ['points.A.fixed.x', 'points.B.fixed.x']).values()) == {
        0.2, 0.02}


def test_a_machine_without_places_that_can_move_is_refused():
    with pytest.raises(FitError, match='six_axis_arm has no body with variable_places: true'):
        location_paths(load_mechanism('six_axis_arm'), 'places')
