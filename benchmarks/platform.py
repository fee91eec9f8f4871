"""The platform of the 3-RRR robot: what its sensors determine, and its accelerations."""

from dataclasses import replace
from functools import partial
from itertools import islice
from time import process_time

import numpy as np
from scipy.signal import butter, lfilter

from benchmarks.figures import Figure
from benchmarks.stopwatch import times_per_call
from mb_estimators import EstimateStream, StreamSettings, local_observability, make_filter
from mb_model import load_mechanism
from mb_simulation.contact_experiment import LATE_IMU, ContactExperiment, simulate_robot
from mb_simulation.control import TrajectorySettings, plan

DURATION, SETTLED, SEEDS = 3.0, 0.3, range(3)       # s
CUT_OFF = 20.0                                      # Hz
SLOPE, RATE = 0.04 * 9.81, np.radians(3.0)          # biases of the paper's IMU
BIASED = {'platform_gyro': {'drawn_bias': RATE}, 'platform_accelerometer': {'drawn_bias': SLOPE}}
UNKNOWN = {'sensors': {'platform_gyro': {'bias_sigma': RATE},
                       'platform_accelerometer': {'bias_sigma': SLOPE}}}
LATE = {'reorder_window': 0.002, 'history_length': 0.02}
PLACES = {'IMU 1, in the centre': [0.0, 0.0], 'IMU 2, 92 mm off': [0.075, 0.054]}         # m
CASES = {       # noise, what the filter gets of it, stream, whether it is a target of the issue
    'ideal IMU': ({}, {}, {}, True),
    'IMU 3 to 4 ms late, at its stamps': (
        LATE_IMU, {}, LATE | {'late_estimates': 'corrected'}, True),
    'IMU 3 to 4 ms late, newest': (LATE_IMU, {}, LATE | {'late_estimates': 'newest'}, False),
    'biases, estimated': (BIASED, UNKNOWN, {}, True),
    'biases, not estimated': (BIASED, {}, {}, False)}
# The paper's filter: R of Eq. (11a) by the pose, the rate and the specific force; Q of Eq. (11b).
PAPER_SENSORS, PAPER_PLANT = (1.2e-1, 1.6e-3, 7e-2), (0.1e-1, 1e1, 1e5)
PAPER_START = 0.1                                   # P at the start, Sec. IV-B


def measure_platform_ekf():
    """Return errors of the accelerations and times of a step.

    Accelerations of the 3-RRR robot's platform by encoders and one IMU, and what they cost.

    Table: the contact-free rectangle of Mohammad et al. 2025, Sec. IV-C (up to 1.41 m/s, 12.4
    m/s^2), driven by the controller in MuJoCo, with the noise and resolution of the paper's
    sensors.  NRMSE is the root mean square error over the range of the truth, SNR the power of
    the truth over that of the error; the worse of both directions, means over noise seeds.
    Beside it: pose by forward kinematics, differentiated twice, and a causal low-pass (second
    order, 20 Hz), which the paper has near 0.09 and 8 dB; and the paper's own filter in plain
    numpy, with its R and Q.  The turn is constant there; of its acceleration only the error is
    shown.  Then the IMU in the platform's centre, and where the paper's second one was (Fig. 8,
    the place in the plane): their NRMSE differ by up to 5 % there, taken for percent of the
    range.
    """
    robot = load_mechanism('three_rrr')
    rectangle = plan(robot, TrajectorySettings(kind='rectangle'))
    run = simulate_robot(robot, rectangle, DURATION)
    plain = ContactExperiment(run)
    peer = errors(run, partial(differentiated, plain))
    figures = [
        Figure('speed of the platform, largest', np.linalg.norm(run.zd[:, :2], axis=1).max(),
               'm/s'),
        Figure('acceleration, largest', np.linalg.norm(run.zdd[:, :2], axis=1).max(), 'm/s^2')]
    for name, (noise, wrong, stream, is_target) in CASES.items():
        experiment = ContactExperiment(run, noise=noise, model_errors=wrong)
        nrmse, snr, angular = errors(run, partial(estimated, experiment, stream))
        figures += [
            Figure(f'{name}: NRMSE', nrmse, '', 0.012 if is_target else None,
                   peer='differentiated', peer_value=peer[0]),
            Figure(f'{name}: SNR', snr, 'dB', 25.0 if is_target else None, at_least=True,
                   peer='differentiated', peer_value=peer[1]),
            Figure(f'{name}: angular acceleration, rms error', angular, 'rad/s^2',
                   peer='differentiated', peer_value=peer[2])]
        if not wrong:
            figures.append(Figure(f'{name}: processor time per ms',
                                  stream_cost(experiment, stream), 'us'))
    nrmse, snr, angular = errors(run, partial(estimated, plain, {}, correction='sigma_points'))
    figures += [Figure('by sigma points, ideal IMU: NRMSE', nrmse, '', 0.012),
                Figure('by sigma points, ideal IMU: SNR', snr, 'dB', 25.0, at_least=True),
                Figure('by sigma points, ideal IMU: angular acceleration, rms error', angular,
                       'rad/s^2')]
    return [*figures, *of_paper(run, plain), *two_places(run), *costs(plain)]


def of_paper(run, experiment):
    """Return the figures of the paper's own filter, with an ideal IMU as ours."""
    nrmse, snr, angular = errors(run, partial(by_paper, experiment))
    return [Figure("the paper's filter: NRMSE", nrmse, '', peer='paper, less than',
                   peer_value=0.012),
            Figure("the paper's filter: SNR", snr, 'dB', peer='paper, at least', peer_value=25.0),
            Figure("the paper's filter: angular acceleration, rms error", angular, 'rad/s^2')]


def by_paper(experiment, seed):
    """Return rows and accelerations by the paper's filter."""
    poses = experiment.differentiate(seed).z
    columns = recorded(experiment, seed)
    place = np.array(experiment.run.mechanism.raw['sensors']['platform_accelerometer']['at'])
    zdd = paper_estimate(poses, columns['platform_gyro'][:, 0], columns['platform_accelerometer'],
                         place, experiment.dt)
    return np.arange(len(zdd)), zdd


def recorded(experiment, seed):
    """Return {sensor: readings (k, channels)} of sensors that are never late."""
    columns = {sensor.name: [] for sensor in experiment.sensors}
    for _, sensor, _, values in experiment.readings(seed):
        columns[sensor].append(values)
    return {name: np.array(rows) for name, rows in columns.items()}


def two_places(run):
    """Return the figures of an IMU in the platform's centre, and beside it."""
    nrmses, figures = [], []
    for name, place in PLACES.items():
        experiment = ContactExperiment(moved_imu(run, place))
        nrmse, _, angular = errors(run, partial(estimated, experiment, {}))
        nrmses.append(nrmse)
        figures += [Figure(f'{name}: NRMSE', nrmse, '', 0.012),
                    Figure(f'{name}: angular acceleration, rms error', angular, 'rad/s^2')]
    return [*figures, Figure('IMU 1 and 2: difference of NRMSE', abs(nrmses[1] - nrmses[0]), '',
                             0.05, peer='paper, up to', peer_value=0.05)]


def moved_imu(run, place, orientation=0.0):
    """Return a RobotRun whose robot has its accelerometer at a place (2) [m], turned [rad]."""
    return replace(run, mechanism=run.mechanism.replace(sensors={
        'platform_accelerometer': {'at': place, 'orientation': orientation}}))


def errors(run, accelerations, seeds=SEEDS):
    """Return NRMSE, SNR [dB] of lengths and rms error of the angle [rad/s^2], means over seeds.

    accelerations(seed): rows of the run and zdd there (k, g).
    """
    rows = []
    for seed in seeds:
        places, zdd = accelerations(seed)
        settled = run.t[places] >= SETTLED
        truth, error = run.zdd[places][settled], (zdd - run.zdd[places])[settled]
        rms = np.sqrt(np.mean(error ** 2, axis=0))
        snr = 20.0 * np.log10(np.sqrt(np.mean(truth ** 2, axis=0))[:2] / rms[:2])
        rows.append((np.max(rms[:2] / np.ptp(truth, axis=0)[:2]), snr.min(), rms[2]))
    return np.mean(rows, axis=0)


def estimated(experiment, stream, seed, **settings):
    """Return rows and accelerations by platform_ekf; the last estimate of a stamp counts."""
    observed = experiment.observe(seed, stream, **settings)
    places = np.searchsorted(experiment.stamps, observed.stamps)
    wanted = stream.get('late_estimates')
    if wanted == 'corrected':       # by the IMU, not what was known before it came
        later = observed.known > observed.stamps
        places, zdd = places[later], observed.zdd[later]
    elif wanted == 'newest':        # what is known when the instant is over
        later = observed.known >= observed.stamps
        places, zdd = places[later], observed.zdd[later]
    else:
        zdd = observed.zdd
    last = {place: row for row, place in enumerate(places)}
    return np.array(list(last)), zdd[list(last.values())]


def differentiated(experiment, seed):
    """Return rows and accelerations by differences of the encoders' pose and a low-pass."""
    observed = experiment.differentiate(seed)
    rough = np.zeros_like(observed.zd)
    rough[1:] = np.diff(observed.zd, axis=0) / experiment.dt
    numerator, denominator = butter(2, CUT_OFF, fs=1.0 / experiment.dt)
    return np.arange(len(rough)), lfilter(numerator, denominator, rough, axis=0)


def costs(experiment):
    """Return times of an instant with all sensors, at rest, beside kinematic_kf."""
    first, steps = {}, {}
    for _, sensor, _, values in islice(experiment.readings(0), len(experiment.sensors)):
        first[sensor] = values
    readings = np.concatenate([first[sensor.name] for sensor in experiment.sensors])
    for label, name, settings in (
            ('platform_ekf', 'platform_ekf', {}), ('kinematic_kf', 'kinematic_kf', {}),
            ('sigma points', 'platform_ekf', {'correction': 'sigma_points'})):
        filter_ = make_filter(name, experiment.mechanism, experiment.sensors, experiment.dt,
                              **settings)
        steps[label] = partial(_instant, filter_, readings, experiment.dt)
    times = {name: 1e6 * time for name, time in times_per_call(steps, 500).items()}
    return [Figure('an instant: predict, correct, estimate', times['platform_ekf'], 'us',
                   peer='kinematic_kf', peer_value=times['kinematic_kf']),
            Figure('by sigma points, an instant', times['sigma points'], 'us')]


def stream_cost(experiment, stream):
    """Return the processor time of a stream for the readings of an instant as they arrive [us]."""
    arrivals = list(experiment.readings(0))
    filter_ = make_filter('platform_ekf', experiment.mechanism, experiment.sensors, experiment.dt)
    start = experiment.mechanism.z0, experiment.mechanism.zd0
    estimates = EstimateStream(filter_, experiment.sensors, start,
                               StreamSettings(dt=experiment.dt, **stream))
    begin = process_time()
    for _, sensor, stamp, values in arrivals:
        estimates.add(sensor, stamp, values)
    return 1e6 * (process_time() - begin) / len(experiment.stamps)


def _instant(filter_, readings, dt):
    """Let a filter take in readings; return its estimates."""
    filter_.predict(dt)
    filter_.correct(readings)
    return filter_.estimate


def paper_estimate(poses, rates, slopes, place, dt):
    """Return accelerations of the pose (k, 3) by Alg. 1 of Mohammad et al. 2025, in the plane.

    Its states are pose, rate and acceleration (9).

    poses (k, 3) by forward kinematics, rates (k) and slopes (k, 2) of the IMU, whose place (2) is
    in the platform's frame, turned as it is; the robot lies, without gravity in the plane.
    """
    A = np.eye(9) + dt * np.eye(9, k=3) + dt * dt / 2.0 * np.eye(9, k=6)
    Q, R = np.diag(np.repeat(PAPER_PLANT, 3)), np.diag(np.repeat(PAPER_SENSORS, (3, 1, 2)))
    x, P, found = np.concatenate([poses[0], np.zeros(6)]), PAPER_START * np.eye(9), []
    for pose, rate, slope in zip(poses, rates, slopes, strict=True):
        x, P = A @ x, A @ P @ A.T + Q
        expected, C = _reading(x, place)
        K = P @ C.T @ np.linalg.inv(C @ P @ C.T + R)
        x, P = x + K @ (np.concatenate([pose, [rate], slope]) - expected), P - K @ C @ P
        found.append(x[6:])
    return np.array(found)


def _reading(x, place):
    """Return the readings at a state (9) and their Jacobian (6, 9), Eq. (8) in the plane."""
    turn, rate, spin = x[2], x[5], x[8]
    c, s = np.cos(turn), np.sin(turn)
    back = np.array([[c, s], [-s, c]])                  # to the platform's frame
    across = np.array([-place[1], place[0]])
    slope = back @ x[6:8] + spin * across - rate ** 2 * place
    C = np.zeros((6, 9))
    C[:3, :3] = np.eye(3)
    C[3, 5] = 1.0
    C[4:, 2] = np.array([[-s, c], [-c, -s]]) @ x[6:8]
    C[4:, 5], C[4:, 6:8], C[4:, 8] = -2.0 * rate * place, back, across
    return np.concatenate([x[:3], [rate], slope]), C


WINDOW, EVERY = 0.005, 20                           # s, instants
SETS = {'encoders': (['drive_encoders'], {}),
        'encoders, gyroscope': (['drive_encoders', 'platform_gyro'], {}),
        'encoders, accelerometer': (['drive_encoders', 'platform_accelerometer'], {}),
        'encoders, IMU': (['drive_encoders', 'imu'], {}),
        'encoders, IMU of unknown biases': (['drive_encoders', 'imu'], UNKNOWN['sensors']),
        'IMU': (['imu'], {}),
        'IMU of unknown biases': (['imu'], UNKNOWN['sensors'])}
STATES = {'position': (slice(0, 2), 'm'), 'velocity': (slice(3, 5), 'm/s'),
          'acceleration': (slice(6, 8), 'm/s^2'), 'angular acceleration': (8, 'rad/s^2')}
SPATIAL_SETS = {'encoders': ['encoders'], 'encoders, IMU': ['encoders', 'imu'], 'IMU': ['imu']}
SPATIAL_STATES = {      # the platform of delta does not turn
    'delta': {'position': (slice(0, 3), 'm'), 'velocity': (slice(3, 6), 'm/s'),
              'acceleration': (slice(6, 9), 'm/s^2')},
    'stewart': {'position': (slice(0, 3), 'm'), 'orientation': (slice(3, 6), 'rad'),
                'velocity': (slice(6, 9), 'm/s'), 'angular velocity': (slice(9, 12), 'rad/s'),
                'acceleration': (slice(12, 15), 'm/s^2'),
                'angular acceleration': (slice(15, 18), 'rad/s^2')}}


def measure_platform_observability():
    """Return rank and deviations of every set of sensors, infinite where nothing is determined.

    What 5 ms of readings determine of the 3-RRR robot's motion, by sets of sensors.

    On the contact-free rectangle of Mohammad et al. 2025, Sec. IV-C, driven by the controller
    in MuJoCo: rank of the observability of position, velocity and acceleration, which the
    window takes for constant, and unknown biases of the IMU; standard deviations, at the worst
    of all instants, in space at the worse direction.  Then robots in space: delta and stewart on
    a random motion of 1 s at up to 0.5 m/s.
    """
    robot = load_mechanism('three_rrr')
    run = simulate_robot(robot, plan(robot, TrajectorySettings(kind='rectangle')), DURATION)
    figures = []
    for label, (sensors, biases) in SETS.items():
        moved = replace(run, mechanism=robot.replace(sensors=biases))
        figures += determined(label, local_observability(moved, sensors, WINDOW, EVERY), STATES)
    motion = TrajectorySettings(kind='random', random_duration=2.0, seed=1, speed=0.5)
    for name, states in SPATIAL_STATES.items():
        robot = load_mechanism(name)
        run = simulate_robot(robot, plan(robot, motion), 1.0)
        for label, sensors in SPATIAL_SETS.items():
            figures += determined(
                f'{name}, {label}', local_observability(run, sensors, WINDOW, EVERY), states)
    return figures


def determined(label, found, states):
    """Return the figures of a LocalObservability; states: {name: (their places, unit)}."""
    return [Figure(f'{label}: rank, of {len(found.states)}', found.ranks.min(), ''),
            *(Figure(f'{label}: {name}', found.deviations[:, place].max(), unit)
              for name, (place, unit) in states.items())]
