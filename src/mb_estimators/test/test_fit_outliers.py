"""Wild readings in fits to readings: noises without them, and what is said of them."""

from dataclasses import replace

from free_motion import SLED_IN_SPACE
from friction_drives import pendulum, swinging_pendulum
import numpy as np
import pytest
from test_fit_readings import DT, SIGMAS, SLED, TRUE, believed, experiment_of, recording

from mb_estimators import (
    FitError,
    FitRecording,
    FitSettings,
    ReadingSettings,
    Recording,
    fit,
    fit_readings,
)
from mb_estimators.fitting.by_readings import fit_readings as by_readings
from mb_estimators.fitting.by_readings.frozen import Begun, FrozenSystem
from mb_estimators.fitting.by_readings.outliers import gross_readings, left_out
from mb_estimators.fitting.by_readings.path import Path
from mb_model import SettingError, load_mechanism, simulate
from mb_sensors import sensors_of

GATED = ReadingSettings(outliers=5.0)


def planted(one, share, size):
    """Return a recording of which some of the first sensor's readings are wild, and how many."""
    random, readings = np.random.default_rng(5), one.readings.copy()
    wild = np.flatnonzero(random.random(len(readings)) < share)
    readings[wild, 0] += size * random.choice([-1.0, 1.0], len(wild))
    return replace(one, readings=readings), len(wild)


@pytest.mark.parametrize('size', [15.0 * SIGMAS[0], 1e4])
def test_wild_readings_are_left_out_and_counted(size):
    """Of the three noises, each in its interval, as if the others had been all."""
    wild, count = planted(recording(1, 1500), 0.02, size)
    found = fit_readings(SLED, believed(3.0), [wild], DT, settings=GATED)
    assert found.notes == (
        f'encoder: {count} of 1500 readings left out, more than 5 deviations off',)
    for one in found.noises:
        assert one.low < TRUE[one.name] < one.high
    (first, other), (low, high) = found.judged.sensors, found.judged.sensors[0].expected
    assert first.count == 1500 - count
    assert other.count == 1500
    assert low < first.square < high


def test_without_a_limit_they_are_said():
    """And the noise that they make of the sensor's is nowhere near its interval."""
    wild, count = planted(recording(1, 1500), 0.02, 1.0)
    found = fit_readings(SLED, believed(3.0), [wild], DT)
    assert found.values['encoder.sigma'] > 5.0 * SIGMAS[0]
    said, = (note for note in found.notes if '--readings outliers=5' in note)
    said_of = int(said.removeprefix('encoder: ').partition(' or more of 1500 readings ')[0])
    assert 0.8 * count < said_of <= count


def test_readings_without_wild_ones_are_all_counted():
    every = recording(2, 1000)
    found, gated = (fit_readings(SLED, believed(1.0), [every], DT, settings=settings)
                    for settings in (None, GATED))
    assert found.notes == gated.notes == ()
    assert gated.values == found.values


def test_exact_readings_of_a_fast_machine_are_not_wild():
    """At reversals of a pendulum whose steps are 6000 deviations; planted ones are."""
    machine = load_mechanism('pendulum').replace(sensors={'encoder': {'sigma': 1e-5}})
    sensors, random = sensors_of(machine, ['encoder']), np.random.default_rng(1)
    swing = simulate(machine, 5.99, 0.01).z[:, :1]
    exact = Recording(10_000_000 * np.arange(600), swing + 1e-5 * random.normal(size=(600, 1)))
    for settings in (ReadingSettings(acceleration_psd=1e-6),
                     ReadingSettings(acceleration_psd=1e-6, outliers=5.0)):
        found = fit_readings(machine, sensors, [exact], 0.01, settings=settings)
        assert not [note for note in found.notes if 'encoder:' in note]
        assert found.judged.sensors[0].count == 600
    wild, _ = planted(exact, 0.05, 0.5)
    np.testing.assert_array_equal(gross_readings(wild, sensors),
                                  wild.readings != exact.readings)


@pytest.mark.parametrize('step', [1e-9, 1e-4, 0.02])
def test_rounded_readings_and_jumps_are_not_gross(step):
    t = np.arange(1000) * 0.01
    for motion in (np.sin(2.0 * np.pi * t), np.maximum(t - 5.0, 0.0), 1.0 * (t > 5.0),
                   np.where(t > 5.0, np.sin(t), 0.0)):
        rounded = step * np.round(motion / step)
        one = Recording(10_000_000 * np.arange(1000), np.stack([rounded, motion], 1))
        assert not gross_readings(one, believed(1e-6)).any()


def test_doubted_readings_that_the_model_expects_count(monkeypatch):
    """Every fiftieth is doubted at first; only the planted ones stay out, or are said."""
    exact = recording(2, 1000)
    wild, count = planted(exact, 0.02, 1.0)
    doubted = wild.readings != exact.readings
    doubted[::50] = True
    monkeypatch.setattr(by_readings, 'gross_readings', lambda *args: doubted)
    assert fit_readings(SLED, believed(1.0), [wild], DT, settings=GATED).notes == (
        f'encoder: {count} of 1000 readings left out, more than 5 deviations off',)
    for settings in (None, GATED):
        assert fit_readings(SLED, believed(1.0), [exact], DT, settings=settings).notes == ()


def test_a_limit_within_the_noise_is_refused():
    """A twentieth of the readings of an accurate sensor is 2 deviations off."""
    for limit in (1e-3, 2.0, 2.99):
        with pytest.raises(SettingError, match=r'^outliers: .* must be 0 or >= 3: '):
            ReadingSettings(outliers=limit)
    assert ReadingSettings(outliers=3.0).outliers == 3.0


def test_fits_end(monkeypatch):
    """What the last one still finds wild counts, and is said."""
    monkeypatch.setattr(by_readings, '_FITS', 1)
    wild, _ = planted(recording(1, 300), 0.02, 15.0 * SIGMAS[0])
    assert 'after 1 fits some readings are still more than 5 deviations off, and count' in (
        fit_readings(SLED, believed(1.0), [wild], DT, settings=GATED).notes)


def test_a_filter_that_wild_readings_would_lead_astray_finds_gravity():
    experiment = experiment_of('four_bar', 0.8, 0.01)
    exact = experiment.recording(seed=1)
    wild, _ = planted(exact, 0.05, 1e3)
    values = [fit_readings(experiment.mechanism, experiment.sensors, [one], 0.01, (),
                           {'gravity.y': 0.5}, GATED).values['gravity.y'] for one in (exact, wild)]
    assert values[1] == pytest.approx(values[0], rel=0.05)


def test_a_sensor_that_is_wild_all_the_time_is_refused():
    wild, _ = planted(recording(3, 600), 0.3, 1.0)
    with pytest.raises(FitError, match=r'encoder: .* of 600 readings .* at most 20 %'):
        fit_readings(SLED, believed(1.0), [wild], DT, settings=GATED)


def test_a_reading_of_three_axes_is_counted_once():
    """Each wild one has two axes that count; 22 of 110 are the most."""
    sensors = sensors_of(SLED_IN_SPACE.replace(sensors={
        'imu': {'kind': 'accelerometer', 'body': 'block', 'at': [0.0, 0.0, 0.0], 'sigma': 0.1}}),
        ['imu'])
    for count in (22, 23):
        path = Path.still(110, 2, 1, 3)
        path.y[:] = 0.0
        path.y[:count, 1] = np.nan
        system = FrozenSystem((Begun(path, np.zeros(2), np.eye(2)),), np.zeros(3, int),
                              np.zeros(2, bool))
        notes = left_out(system, [np.isnan(path.y)], sensors, 5.0)
        if count == 22:
            assert [*notes] == ['imu: 22 of 110 readings left out, more than 5 deviations off']
        else:
            with pytest.raises(FitError, match='imu: 23 of 110 readings'):
                next(notes)


def test_friction_with_wild_forces():
    """A fiftieth of the recorded torques is off by 20 N m: said, and with a limit they are little.
    """
    mechanism = pendulum()
    samples, random = swinging_pendulum(mechanism, 1), np.random.default_rng(6)
    torques = samples.torques.copy()
    wild = random.random(torques.shape) < 0.02
    torques[wild] += 20.0 * random.choice([-1.0, 1.0], wild.sum())
    names = ['forces.*.coulomb*', 'forces.*.viscous*', 'forces.*.static*']
    exact, alike, robust = (
        fit(mechanism, names, [FitRecording(replace(samples, torques=torques))],
            ['shoulder', 'elbow'], FitSettings(held_out=0.0, outliers=limit))
        for torques, limit in ((samples.torques, 0.0), (torques, 0.0), (torques, 2.4)))
    for name in ('shoulder', 'elbow'):
        for fitted, end in ((alike, '--fit outliers=2.4 lets them count less'),
                            (robust, 'and count little')):
            assert any(note.startswith(f'{name}: ') and note.endswith(end)
                       for note in fitted.notes)
    for number, wide in zip(robust.numbers, alike.numbers, strict=True):
        assert number.deviation < 0.3 * wide.deviation
        assert abs(number.value - exact.values[number.path]) < 3.0 * number.deviation
