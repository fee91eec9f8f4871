"""Noises and numbers by readings: of noises that are known, against least squares."""

from free_motion import FLYWHEEL, SLED
import numpy as np
import pytest
from scipy.optimize import least_squares

from mb_estimators import (
    Experiment,
    FilterError,
    FitError,
    ReadingSettings,
    Recording,
    fit_readings,
)
from mb_model import load_mechanism, simulate
from mb_sensors import sensors_of

DT, PSD, SIGMAS = 0.005, 0.4, np.array([0.02, 0.05])
ROOT = np.linalg.cholesky(PSD * np.array([[DT ** 3 / 3.0, DT ** 2 / 2.0], [DT ** 2 / 2.0, DT]]))
PRIOR, SHARE = 0.1, 0.5             # deviations of start and of gravity, a share
TRUE = {'acceleration_psd': PSD, 'encoder.sigma': SIGMAS[0], 'other.sigma': SIGMAS[1]}


def recording(seed, count, gaps=0.0, sigmas=SIGMAS):
    """Return a Recording of a sled by both encoders, whose accelerations are white noise."""
    random, x, truth = np.random.default_rng(seed), np.array([0.3, 2.0]), []
    for _ in range(count):
        truth.append(x[0])
        x = np.array([[1.0, DT], [0.0, 1.0]]) @ x + ROOT @ random.normal(size=2)
    readings = np.array(truth)[:, np.newaxis] + sigmas * random.normal(size=(count, 2))
    readings[random.random((count, 2)) < gaps] = np.nan
    return Recording(5_000_000 * np.arange(count), readings)


def believed(factor):
    """Return the sensors with so many times the noise."""
    return sensors_of(SLED.replace(sensors={
        name: {'sigma': float(sigma * factor)}
        for name, sigma in zip(('encoder', 'other'), SIGMAS, strict=True)}), ['encoder', 'other'])


@pytest.mark.parametrize(('wrong', 'gaps'), [(3.0, 0.0), (0.3, 0.3)])
def test_known_noises_are_in_their_intervals(wrong, gaps):
    """From ones that are 10 times wrong; of 20 recordings and 3 noises few intervals miss.

    Nor do ranges of held-out squares, of which 27 of 40 hold were a quarter's noises the true ones.
    """
    held, foreseen, values = 0, 0, []
    for seed in range(20):
        found = fit_readings(SLED, believed(wrong), [recording(seed, 1500, gaps)], DT,
                             settings=ReadingSettings(acceleration_psd=PSD / wrong ** 2),
                             held_out=0.75)
        foreseen += sum(one.expected[0] <= one.square <= one.expected[1]
                        for one in found.judged.held_out)
        values.append([found.values[name] for name in TRUE])
        held += sum(one.low <= TRUE[one.name] <= one.high for one in found.noises)
    ratios = np.array(values) / list(TRUE.values())
    assert held >= 53           # of 60; fewer have a chance of about 1 %
    assert foreseen >= 35       # of 40, likewise
    np.testing.assert_allclose(ratios.mean(axis=0), 1.0, atol=0.12)
    assert found.passes == 2    # the machine is linear: the second changes nothing


def test_two_recordings_say_more_than_one():
    first, both = (fit_readings(SLED, believed(1.0), [recording(seed, 1000) for seed in seeds], DT)
                   for seeds in ((1,), (1, 2)))
    for one, other in zip(first.noises, both.noises, strict=True):
        assert np.log(other.high / other.low) == pytest.approx(
            np.log(one.high / one.low) / np.sqrt(2.0), rel=0.15)


def test_what_was_held_out_is_judged_and_changes_nothing():
    """The fit of two thirds expects the squares of the rest; other noise there is seen."""
    quiet = fit_readings(SLED, believed(3.0), [recording(4, 2000)], DT)
    for judged in quiet.judged.held_out:
        low, high = judged.expected
        assert 0.85 < low < 1.0 < high < 1.15
        assert 0.85 < judged.square < 1.15
        assert 0.92 < judged.coverage < 0.98
    louder = recording(4, 2000)
    louder.readings[1400:, 0] += 0.06 * np.random.default_rng(9).normal(size=600)
    first, other = fit_readings(SLED, believed(3.0), [louder], DT).judged.held_out
    assert first.square > 4.0
    assert other.square < 1.5
    assert not fit_readings(SLED, believed(1.0), [recording(4, 300)], DT, held_out=0.0
                            ).judged.held_out


def test_noises_that_readings_do_not_determine_are_said():
    """White noise alone is none of the plant; what one channel reads once says nothing."""
    quiet = recording(3, 1500)
    smooth = 0.3 + 2.0 * DT * np.arange(1500)
    quiet.readings[:] = smooth[:, np.newaxis] + SIGMAS * np.random.default_rng(1).normal(
        size=(1500, 2))
    found = fit_readings(SLED, believed(1.0), [quiet], DT)
    plant = next(one for one in found.noises if one.name == 'acceleration_psd')
    assert plant.is_bound
    assert found.psds[0] == plant.high < 1e-3
    assert any('acceleration_psd is too small to be seen' in note for note in found.notes)

    rare = recording(3, 1500)
    rare.readings[1:, 1] = np.nan
    found = fit_readings(SLED, believed(1.0), [rare], DT)
    other = next(one for one in found.noises if one.name == 'other.sigma')
    assert not other.is_known
    assert other.value == pytest.approx(SIGMAS[1])
    assert any('do not determine other.sigma: 0.05, as the file has it' in note
               for note in found.notes)


def test_noises_that_readings_do_not_separate_are_said():
    """A gyroscope on a shaft of white accelerations, seldom read: the steps are both noises."""
    random = np.random.default_rng(2)
    count, period = 400, 0.1
    rate = 2.0 + np.cumsum(np.sqrt(0.5 * period) * random.normal(size=count))
    readings = (rate + 0.02 * random.normal(size=count))[:, np.newaxis]
    found = fit_readings(FLYWHEEL, sensors_of(FLYWHEEL, ['gyro']),
                         [Recording(100_000_000 * np.arange(count), readings)], period)
    gyro = next(one for one in found.noises if one.name == 'gyro.sigma')
    assert not gyro.is_known
    assert any('gyro.sigma' in note for note in found.notes)


def test_a_wrong_model_is_said():
    """An offset between two sensors lasts, and no noise does."""
    wrong = recording(5, 1500)
    wrong.readings[:, 1] += 0.1
    notes = fit_readings(SLED, believed(1.0), [wrong], DT).notes
    assert any('other: averages of innovations' in note and 'noises alone do not describe it' in
               note for note in notes)
    assert not fit_readings(SLED, believed(1.0), [recording(5, 1500)], DT).notes


def experiment_of(name, duration, dt):
    slow = load_mechanism(name).replace(
        sensors={'crank_encoder': {'rate': 1.0 / dt, 'sigma': 17.453e-3}})
    return Experiment(slow, ['crank_encoder'], {'gravity': -1.0, 'z0': 0.05}, duration, dt)


@pytest.mark.parametrize(('name', 'path', 'duration', 'dt'), [
    ('four_bar', 'gravity.y', 0.8, 0.01), ('spatial_slider_crank', 'gravity.z', 0.3, 1e-3)])
def test_numbers_are_least_squares_over_single_motions(name, path, duration, dt):
    """Without noise in the accelerations there are no other motions to choose from."""
    experiment = experiment_of(name, duration, dt)
    model, readings = experiment.mechanism, experiment.recording(seed=3)
    gravity, sigma = model.gravity[-1], experiment.sensors[0].settings.sigma

    def residuals(x):
        moved = model.replace(gravity=[*model.gravity[:-1], gravity * (1.0 - x[2])])
        run = simulate(moved, duration, dt, z0=x[:1], zd0=x[1:2])
        return np.concatenate([(run.z[:, 0] - readings.readings[:, 0]) / sigma,
                               (x[:2] - [model.z0[0], model.zd0[0]]) / PRIOR, x[2:] / SHARE])

    expected = least_squares(residuals, [model.z0[0], model.zd0[0], 0.0], diff_step=1e-5)
    covariance = np.linalg.inv(expected.jac.T @ expected.jac)
    found = fit_readings(model, experiment.sensors, [readings], dt, (), {path: SHARE},
                         ReadingSettings(acceleration_psd=1e-9, initial_variance=PRIOR ** 2))
    deviation = np.sqrt(covariance[2, 2]) * abs(gravity)
    number, = found.numbers
    assert number.deviation == pytest.approx(deviation, rel=0.02)
    assert number.value == pytest.approx(gravity * (1.0 - expected.x[2]), abs=0.05 * deviation)
    low, high = found.intervals[path]
    assert high - low == pytest.approx(2.0 * 1.96 * number.deviation, rel=1e-3)


def test_what_is_positive_stays_so():
    experiment = experiment_of('four_bar', 0.8, 0.01)
    found = fit_readings(experiment.mechanism, experiment.sensors, [experiment.recording(seed=1)],
                         0.01, (), {'bodies.coupler.mass': 2.0})
    low, high = found.intervals['bodies.coupler.mass']
    assert 0.0 < low < found.values['bodies.coupler.mass'] < high


def test_numbers_that_readings_do_not_determine_are_the_files():
    """No mass changes how a mechanism falls whose masses all grow together."""
    experiment = experiment_of('four_bar', 0.8, 0.01)
    names = [f'bodies.{name}.mass' for name in ('crank', 'coupler', 'rocker')]
    found = fit_readings(experiment.prototype, experiment.sensors, [experiment.recording(seed=1)],
                         0.01, (), dict.fromkeys(names, 0.5))
    assert not any(number.is_known for number in found.numbers)
    assert any(f'do not determine {names[0]}' in note for note in found.notes)


def test_densities_of_degrees_of_freedom_are_apart_where_they_are_determined():
    """Of a five-bar linkage, one crank of which is shaken a hundred times as much."""
    machine = load_mechanism('five_bar').replace(gravity=[0.0, 0.0])
    sensors = sensors_of(machine, ['left_crank_encoder', 'right_crank_encoder'])
    run, random = np.full((1201, 2), machine.z0), np.random.default_rng(7)
    z, zd, q = machine.z0.copy(), machine.zd0.copy(), machine.q0
    for k in range(12000):      # small steps
        q = machine.assemble(z, q)
        zd = zd + 0.1 * DT * machine.forward_dynamics(z, zd, None, q) + np.sqrt(
            np.array([1.0, 0.01]) * 0.1 * DT) * random.normal(size=2)
        z = z + 0.1 * DT * zd
        if k % 10 == 9:
            run[(k + 1) // 10] = z
    sigma = sensors[0].settings.sigma
    readings = Recording(5_000_000 * np.arange(1201), run + sigma * random.normal(size=run.shape))
    found = fit_readings(machine, sensors, [readings], DT)
    assert len(found.noises) == 4
    for one, true in zip(found.noises[:2], (1.0, 0.01), strict=True):
        assert one.low / 1.3 < true < 1.3 * one.high
    assert found.psds == tuple(one.value for one in found.noises[:2])


def test_what_is_wrong_is_said():
    nothing = Recording(5_000_000 * np.arange(30), np.full((30, 2), np.nan))
    with pytest.raises(FitError, match='no readings: expected some of encoder, other'):
        fit_readings(SLED, believed(1.0), [nothing], DT)
    experiment = experiment_of('four_bar', 0.8, 0.01)
    with pytest.raises(ValueError, match=r'bodies\.coupler\.colour'):
        fit_readings(experiment.mechanism, experiment.sensors, [experiment.recording(1)], 0.01,
                     (), {'bodies.coupler.colour': 0.1})
    rods = load_mechanism('rod_array').replace(parameters={'loops': 110})
    with pytest.raises(FilterError, match='too large for a filter'):
        fit_readings(rods, sensors_of(rods, ['rod_encoder']), [Recording(
            np.arange(3) * 5_000_000, np.zeros((3, 1)))], DT)
