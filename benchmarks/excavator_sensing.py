"""What the IMUs of the benchmarks' excavator read, and the filter that makes joint angles of it."""

from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from benchmarks.excavator_machines import CYLINDERS, IMUS, LINKS, model_excavator
from benchmarks.excavator_truth import SAMPLE
from mb_estimators import make_filter
from mb_sensors import EndStops, SensorNoise, sensors_of, true_values

MOUNTING, PLACE = float(np.radians(2.0)), 5e-3      # rad, m: deviations of truth from model
DRAWN = {'gyro': {'drawn_bias': 0.01, 'drawn_scale': 3e-3, 'misalignment': 2e-3},       # rad/s
         'accelerometer': {'drawn_bias': 0.15, 'drawn_scale': 3e-3, 'misalignment': 2e-3}}  # m/s^2
# The filter: biases and mountings unknown; more noise than the sensors have, and biases that walk,
# for what errors of scale and of axes add as poses change: 3e-3 g in a second or some.  These do
# not average out.  Nothing behind the bucket tells where its pin is seen from its IMU, so that its
# accelerations, believed, would turn it by degrees: they count for gravity's direction only.
UNKNOWN = {'gyro': {'bias_sigma': 0.01, 'sigma': 5e-3},
           'accelerometer': {'bias_sigma': 0.1, 'bias_walk': 0.003, 'sigma': 0.5}}
LAST_SIGMA = 2.0                                    # m/s^2, of the bucket's accelerometer
START, TILT = np.radians(3.0), np.radians(12.0)     # deviations of angles at the start
SETTINGS = {'acceleration_variance': 10.0, 'initial_acceleration_variance': 1.0}
EVERY = 2                                           # samples from one reading to the next
PLACE_EVERY = 100                                   # and of the place
PRESSURE_SIGMA = 2e4                                # Pa
STOPS = {'bucket_opened': 'retracted', 'bucket_curled': 'extended'}     # of the bucket's cylinder
STOP = {'kind': 'linear_encoder', 'coordinate': 'bucket_length', 'sigma': 1e-3,
        'bias_sigma': 1e-3, 'rate': 10.0}
STOP_EVERY = 20                                     # samples from one reading of a stop to the next


@dataclass
class Sensed:
    """Readings (k, channels) of sensors at instants of a Work, and what errors they have.

    p (k, v): what pressure sensors read [Pa]; mountings: topic.axis -> turn beside the model's
    [rad]; biases: channel -> offset.
    """

    readings: np.ndarray
    p: np.ndarray
    mountings: dict[str, float]
    biases: dict[str, float]


def model_sensors(mechanism, bucket_at):
    """Return the sensors of the model: IMUs whose biases and mountings are unknown, and the place.

    bucket_at: where the IMU is on the bucket [m].  There is no encoder: `place` is no device, but
    the knowledge that the machine stands, within 10 cm, and `bucket_opened` and `bucket_curled`
    are the length of the bucket's cylinder at its stops, where pressures tell that it is there.
    """
    unknown = {f'{imu}_{kind}': {**values, 'mounting_sigma': MOUNTING}
               for imu in IMUS for kind, values in UNKNOWN.items()}
    unknown['bucket_accelerometer'] |= {'at': list(bucket_at), 'sigma': LAST_SIGMA}
    return sensors_of(mechanism.replace(sensors=unknown | dict.fromkeys(STOPS, STOP)),
                      [*unknown, 'place', *STOPS])


def sensed(work, seed, bucket_at):
    """Return the Sensed of a Work; a seed draws noise, biases, scales, mountings and places.

    bucket_at: near where the IMU of the bucket is [m].
    """
    random, changes, mountings = np.random.default_rng([seed, 7]), {}, {}
    for imu in IMUS:
        turn = MOUNTING * random.normal(size=3)
        mountings |= {f'{imu}_imu.{axis}': value for axis, value in zip('xyz', turn, strict=True)}
        rpy = [float(angle) for angle in Rotation.from_rotvec(turn).as_euler('xyz')]
        at = bucket_at if imu == 'bucket' else (
            work.mechanism.raw['sensors'][f'{imu}_accelerometer']['at'])
        moved = [float(x + PLACE * random.normal()) for x in at]
        changes |= {f'{imu}_gyro': {**DRAWN['gyro'], 'rpy': rpy}, f'{imu}_accelerometer': {
            **DRAWN['accelerometer'], 'rpy': rpy, 'at': moved}}
    mechanism, readings, biases = work.mechanism.replace(sensors=changes), [], {}
    for sensor in sensors_of(mechanism, list(changes)):
        truth = true_values(mechanism, sensor, work.q, work.qd, work.qdd)
        noise = SensorNoise(sensor.settings, seed, sensor.name)
        readings.append(noise.readings(range(len(truth)), truth))
        biases |= dict(zip(sensor.channels, noise.errors(3)[:, 0], strict=True))
    base = np.full((len(work.t), 3), np.nan)
    base[::PLACE_EVERY] = 0.0
    p = work.p + PRESSURE_SIGMA * random.normal(size=work.p.shape)
    turning = readings[2 * IMUS.index('bucket')] - readings[2 * IMUS.index('arm')]
    return Sensed(np.hstack([*readings, base, stop_readings(p, turning)]), p,
                  mountings, biases)


def stop_readings(p, turning):
    """Return what the lengths of the bucket's cylinder are at its stops (k, 2), NaN elsewhere [m].

    p (k, v): pressures [Pa]; turning (k, 3): what the gyroscope of the bucket reads beyond the
    arm's, less the median, so that biases do not matter.
    """
    stops, names = EndStops(model_excavator(), 'bucket'), list(STOPS.values())
    first = 2 * CYLINDERS.index('bucket')
    rates = turning[:, 1] - np.median(turning[:, 1])
    found = np.full((len(p), len(STOPS)), np.nan)
    for k, (pressures, rate) in enumerate(zip(p[:, first:first + 2], rates, strict=True)):
        reading = stops.update(round(1e9 * k * SAMPLE), *pressures, rate)
        if reading and k % STOP_EVERY == 0:
            found[k, names.index(reading[0])] = reading[1]
    return found


def angle_filter(mechanism, work, seed, bucket_at):
    """Return the filter of the angles; it starts wrong by START, and level."""
    filter_ = make_filter('kinematic_kf', mechanism, model_sensors(mechanism, bucket_at),
                          EVERY * SAMPLE, **SETTINGS)
    z, names = mechanism.z0.copy(), mechanism.independent
    true = work.q[0, work.mechanism.places(list(LINKS))]
    wrong = START * np.random.default_rng([seed, 11]).normal(size=len(LINKS))
    z[[names.index(name) for name in LINKS]] = true + wrong
    start = {'x': 0.1, 'y': 0.1, 'z': 0.1, 'roll': TILT, 'pitch': TILT, 'slew': 1e-3}
    deviations = [start.get(name, START) for name in names]
    filter_.reset(z, np.zeros(mechanism.g), np.diag(np.square(np.concatenate(
        [deviations, 0.1 * np.ones(mechanism.g), np.ones(mechanism.g)]))))
    return filter_
