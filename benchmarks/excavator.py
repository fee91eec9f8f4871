"""An excavator without encoders: joint angles by four IMUs on a base that tilts and sways.

Truth: a simulation with oil of a floating machine, whose masses, friction and IMUs differ from
what the filter takes them to be.  It works for WORK s and stands for STAND s.  Biases, mountings
and the start are unknown; after LEARNING s of work the filter has to know them.  The IMU of the
bucket sits near its pin, as in the machine's file, or far from it: an angle is known as well as the
place of its IMU, seen from the pin.
"""

from time import perf_counter

import numpy as np

from benchmarks.excavator_machines import LINKS, model_excavator
from benchmarks.excavator_sensing import EVERY, angle_filter, sensed
from benchmarks.excavator_truth import SAMPLE, settled, worked
from benchmarks.figures import Figure

WORK, STAND, LEARNING = 390.0, 90.0, 300.0          # s
MOTION, SEEDS = 0, (1, 2)                           # settings were chosen with seed 0
NEAR, FAR = (0.1, 0.0, 0.1), (1.0, 0.0, 0.5)        # of the bucket's IMU, from its pin [m]
CASES = {'bucket IMU 0.14 m from its pin': NEAR, 'bucket IMU 1.1 m from its pin': FAR}
TARGET = 0.3                                        # degrees
NAMES = {'boom_angle': 'boom', 'arm_angle': 'arm', 'bucket_angle': 'bucket'}


def measure(seeds=SEEDS):
    """Return figures of each case, with IMUs of each seed; the motion is one for all."""
    figures, work = [], settled(worked(MOTION, WORK, STAND))
    for seed in seeds:
        for case, bucket_at in CASES.items():
            figures += [Figure(f'seed {seed}, {case}: {name}', value, unit, target)
                        for name, (value, unit, target) in judged(work, seed, bucket_at).items()]
    return figures


def judged(work, seed, bucket_at):
    """Return name -> (value, unit, target) of a Work; the other arguments: see sensed."""
    mechanism, readings = model_excavator(), sensed(work, seed, bucket_at)
    filter_ = angle_filter(mechanism, work, seed, bucket_at)
    places = [mechanism.independent.index(name) for name in LINKS]
    true = work.q[:, work.mechanism.places(list(LINKS))]
    count = len(range(0, len(work.t), EVERY))
    off, deviations = np.empty((2, count, len(LINKS)))
    learnt, begin = None, perf_counter()
    for row, k in enumerate(range(0, len(work.t), EVERY)):
        if row > 0:
            filter_.predict(EVERY * SAMPLE)
        filter_.correct(readings.readings[k])
        estimate = filter_.estimate
        off[row] = estimate.z[places] - true[k]
        deviations[row] = np.sqrt(estimate.covariance[places, places])
        if learnt is None and work.t[k] - work.t[0] >= LEARNING:
            learnt = estimate
    took = (perf_counter() - begin) / count
    t = work.t[::EVERY] - work.t[0]
    working = (t >= LEARNING) & (work.t[::EVERY] < WORK)
    standing = work.t[::EVERY] >= WORK + 5.0
    return (_angles('at work after 5 min', off[working], deviations[working])
            | _angles('at rest', off[standing], deviations[standing])
            | _drift(t[standing], off[standing]) | _errors(learnt, readings)
            | {'predict, correct and estimate': (1e6 * took, 'us', None)})


def _angles(when, off, deviations):
    """Return RMSE of each angle, and how often all are within their intervals."""
    rmse = np.degrees(np.sqrt(np.mean(np.square(off), axis=0)))
    within = 100.0 * np.mean(np.abs(off) < 1.96 * deviations)
    return {f'{when}: RMSE of {NAMES[name]}': (value, 'deg', TARGET)
            for name, value in zip(LINKS, rmse, strict=True)} | {
        f'{when}: within intervals of 95 %': (within, '%', None)}


def _drift(t, off):
    """Return how fast errors grow while the machine stands, by a straight line through them."""
    slopes = [np.polyfit(t / 60.0, np.degrees(one), 1)[0] for one in off.T]
    return {f'at rest: drift of {NAMES[name]}': (abs(slope), 'deg/min', 0.1)
            for name, slope in zip(LINKS, slopes, strict=True)}


def _errors(learnt, readings):
    """Return the largest errors of mountings and biases after LEARNING."""
    turns = [np.degrees(abs(learnt.mountings[name] - value))
             for name, value in readings.mountings.items()]
    gyros, accelerometers = ([abs(learnt.biases[name] - value)
                              for name, value in readings.biases.items() if kind in name]
                             for kind in ('gyro', 'accelerometer'))
    return {'after 5 min: largest error of a mounting': (max(turns), 'deg', None),
            'after 5 min: RMS error of mountings': (
                np.sqrt(np.mean(np.square(turns))), 'deg', None),
            'after 5 min: largest error of a gyroscope': (
                np.degrees(max(gyros)), 'deg/s', None),
            'after 5 min: largest error of an accelerometer': (
                max(accelerometers), 'm/s^2', None)}
