"""Free play between a drive and its link: intervals cover it, unless readings know where it is."""

from filter_traits import EULER, PENALTY
import numpy as np
import pytest

from mb_estimators import DivergenceError, available_filters, make_filter
from mb_estimators.filters.free_play import FreePlay
from mb_estimators.observation import observe
from mb_estimators.recording.recording import Recording
from mb_estimators.smoothing import smooth
from mb_model import simulate
from mb_model.mechanism import Mechanism
from mb_sensors import RecordedSensor, sensors_of

DT, HALF, STIFFNESS = 1e-3, 0.03, 100.0
TEETH = {'kind': 'backlash', 'coordinate': 'lash', 'play': 2.0 * HALF, 'stiffness': STIFFNESS,
         'damping': 0.2}
AS_CURVE = {'kind': 'characteristic', 'coordinate': 'lash', 'of_rate': '-0.2 * v',
            'of_coordinate': f'-{STIFFNESS} * (max(x - {HALF}, 0) + min(x + {HALF}, 0))'}
FLAP = {
    'name': 'flap', 'gravity': [0.0, -9.81],
    'points': {'A': {'fixed': [0, 0]}, 'M': {'start': [0.1, 0]}, 'F': {'start': [0.2, 0]}},
    'bodies': {'shaft': {'points': {'A': [0, 0], 'M': [0.1, 0]}, 'mass': 0.01,
                         'centre_of_gravity': [0, 0], 'inertia': 0.02},
               'flap': {'points': {'A': [0, 0], 'F': [0.2, 0]}, 'mass': 0.3058,
                        'centre_of_gravity': [0.1, 0], 'inertia': 0.001}},
    'coordinates': {'shaft': {'kind': 'angle', 'body': 'shaft'},
                    'link': {'kind': 'angle', 'body': 'flap'},
                    'lash': {'kind': 'relative_angle', 'bodies': ['shaft', 'flap']}},
    'forces': {'hold': {'kind': 'spring_damper', 'coordinate': 'shaft', 'stiffness': 200.0,
                        'damping': 8.0}, 'teeth': TEETH},
    'independent': ['shaft', 'lash'],
    'sensors': {'drive': {'kind': 'angle_encoder', 'body': 'shaft', 'sigma': 1e-4, 'rate': 500.0},
                'link': {'kind': 'angle_encoder', 'body': 'flap', 'sigma': 1e-3, 'rate': 500.0}}}
TUNING = {'augmented_ekf': {'parameters': ('bodies.flap.mass',), 'parameter_deviations': (1e-9,),
                            'parameter_walks': (0.0,)},
          'adekf': {'force_deviations': (1e-9,), 'force_walks': (0.0,)}}
TUNING['dual_ukf_error_ekf_fe'] = TUNING['augmented_ekf']
ALL = available_filters(Mechanism(FLAP, 'flap.yaml'))


def machine(**changes):
    """Return the flap with changes of its file."""
    return Mechanism(FLAP | changes, 'flap.yaml')


def recorded(truth, sensors):
    """Return the Run of a true Mechanism, its stamps and the readings of sensors by name."""
    run = simulate(truth, 0.3, DT, estimate_error=False)
    stamps = np.round(1e9 * (1.0 + run.t)).astype(np.int64)
    return run, stamps, np.hstack([RecordedSensor(sensor, run, stamps.tolist()).readings(1)
                                   for sensor in sensors_of(truth, sensors)])


def errors_of_lash(name, believed, truth, sensors):
    """Return the errors of the lash by a filter, and its deviations (k).

    Truth is the place within the play: the flanks give way to a blow, which is no play.
    """
    run, stamps, readings = recorded(truth, sensors)
    observed = observe(make_filter(name, believed, sensors, DT, **TUNING.get(name, {})), stamps,
                       readings, DT)
    place = believed.coordinates.index('lash')
    rows = np.array([believed.R(q)[place] for q in run.q])
    lash = np.array([believed.assemble(z)[place] for z in observed.z])
    variances = np.einsum('ki,kij,kj->k', rows, observed.covariance[:, :2, :2], rows)
    return lash - run.q[:, place].clip(-HALF, HALF), np.sqrt(variances)


SITUATIONS = {
    'the weight is on the other side': (machine(), machine(gravity=[0.0, 9.81])),
    'no weight, on the other flank': (
        machine(gravity=[0.0, 0.0], start={'lash': -HALF}),
        machine(gravity=[0.0, 0.0], start={'lash': HALF})),
    'no weight, somewhere between': (
        machine(gravity=[0.0, 0.0]), machine(gravity=[0.0, 0.0], start={'lash': -0.9 * HALF})),
    'angles of both bodies as states': (
        machine(independent=['shaft', 'link']),
        machine(independent=['shaft', 'link'], gravity=[0.0, 9.81]))}


@pytest.mark.parametrize('situation', SITUATIONS)
@pytest.mark.parametrize('name', ALL)
def test_intervals_cover_the_play_that_no_sensor_knows(name, situation):
    """In every filter: the true side is within an interval of 95 %, or it says that it is lost."""
    try:
        errors, deviations = errors_of_lash(name, *SITUATIONS[situation], ['drive'])
    except DivergenceError:
        assert name in (*PENALTY, *EULER)
        return
    assert (np.abs(errors) < 1.96 * deviations).all()


@pytest.mark.parametrize('name', ['ukf', 'error_ekf_fe', 'fixed_lag_smoother'])
def test_without_a_backlash_in_the_file_the_filter_is_certain_of_the_wrong_side(name):
    forces = FLAP['forces'] | {'teeth': AS_CURVE}
    errors, deviations = errors_of_lash(name, machine(forces=forces),
                                        machine(forces=forces, gravity=[0.0, 9.81]), ['drive'])
    assert (np.abs(errors[-100:]) > 4.0 * deviations[-100:]).all()


@pytest.mark.parametrize('name', ['ukf', 'error_ekf_fe', 'fixed_lag_smoother'])
def test_encoders_on_both_sides_leave_no_play(name):
    sensors = ['drive', 'link']
    with_play = errors_of_lash(name, machine(), machine(), sensors)
    plain = machine(forces=FLAP['forces'] | {'teeth': AS_CURVE})
    without = errors_of_lash(name, plain, plain, sensors)
    np.testing.assert_allclose(with_play, without, atol=1e-12)
    assert with_play[1].max() < 0.1 * HALF


@pytest.mark.parametrize('name', ['error_ekf_fe', 'ukf'])
def test_smoothers_cover_it_as_well(name):
    believed, truth = SITUATIONS['the weight is on the other side']
    run, stamps, readings = recorded(truth, ['drive'])
    smoothed = smooth(make_filter(name, believed, ['drive'], DT),
                      Recording(stamps, readings, None), DT)
    errors = smoothed.motion.z[:, 1] - run.z[:, 1].clip(-HALF, HALF)
    assert (np.abs(errors) < 1.96 * np.sqrt(smoothed.covariance[:, 1, 1])).all()


def test_the_oldest_instant_of_a_window_covers_it():
    believed, truth = SITUATIONS['the weight is on the other side']
    run, stamps, readings = recorded(truth, ['drive'])
    smoother = make_filter('fixed_lag_smoother', believed, ['drive'], DT)
    observe(smoother, stamps, readings, DT)
    ago, estimate = smoother.smoothed
    assert ago > 0.0
    error = estimate.z[1] - run.z[-1 - round(ago / DT), 1].clip(-HALF, HALF)
    assert abs(error) < 1.96 * np.sqrt(estimate.covariance[1, 1])


def chain(between):
    """Return three wheels with plays of 0.02 and 0.04 between them."""
    wheel = {'mass': 1.0, 'centre_of_gravity': [0, 0], 'inertia': 1.0}
    names = 'first', 'second', 'third'
    return Mechanism({
        'name': 'chain', 'points': {'A': {'fixed': [0, 0]}} | {
            f'P{k}': {'start': [1, 0]} for k in range(3)},
        'bodies': {name: wheel | {'points': {'A': [0, 0], f'P{k}': [1, 0]}}
                   for k, name in enumerate(names)},
        'coordinates': {name: {'kind': 'angle', 'body': name} for name in names} | {
            'one': {'kind': 'relative_angle', 'bodies': list(names[:2])},
            'other': {'kind': 'relative_angle', 'bodies': list(names[1:])}},
        'forces': {'teeth': TEETH | {'coordinate': 'one', 'play': 0.02},
                   'keys': TEETH | {'coordinate': 'other', 'play': 0.04}},
        'independent': list(names),
        'sensors': {name: {'kind': 'angle_encoder', 'body': name, 'sigma': 1e-5, 'rate': 100.0}
                    for name in between}}, 'chain.yaml')


def deviations_in_chain(between):
    """Return the deviations of both plays and of the third wheel that the plays alone add."""
    mechanism = chain(between)
    sensors = sensors_of(mechanism, between)
    q = mechanism.assemble([0.0, 0.01, -0.01])
    added = FreePlay(mechanism, sensors, np.concatenate([one.records for one in sensors])).covering(
        np.zeros((6, 6)), q)
    rows = np.array([[-1.0, 1.0, 0.0], [0.0, -1.0, 1.0], [0.0, 0.0, 1.0]])
    return np.sqrt(np.diagonal(rows @ added[:3, :3] @ rows.T).clip(0.0))


def test_plays_in_a_row():
    """Of plays whose sum is read, each may be at its other end; of those read, none is left."""
    free = deviations_in_chain(['first'])
    assert (1.96 * free > [0.02, 0.04, 0.06]).all()
    assert free[2] == pytest.approx(np.hypot(*free[:2]), rel=1e-4)
    ends = deviations_in_chain(['first', 'third'])
    assert (1.96 * ends[:2] > 0.02).all()       # the sum is fixed: both move by the smaller play
    assert ends[2] == pytest.approx(0.0, abs=1e-4)
    assert deviations_in_chain(['first', 'second', 'third']).max() < 1e-4
