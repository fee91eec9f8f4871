"""An excavator without encoders: angles by four IMUs, load and digging force by six pressures.

Truth: a simulation with oil of a floating machine that tilts and sways, whose masses, friction,
stops and IMUs differ from what the estimator takes them to be.  It works for WORK s and stands for
STAND s.  Biases, mountings and the start are unknown; after LEARNING s of work the filter has to
know them.  The IMU of the bucket sits near its pin, as in the machine's file, or far from it.
Where a piston presses against its stop, pressures tell the length of the bucket's cylinder; one
case is without that.
"""

from itertools import pairwise
from time import process_time

import numpy as np

from benchmarks.excavator_load import Edge, Scales
from benchmarks.excavator_machines import LINKS, model_excavator
from benchmarks.excavator_sensing import EVERY, STOPS, angle_filter, sensed
from benchmarks.excavator_truth import DIGGING, LEAST, SAMPLE, settled, worked
from benchmarks.figures import Figure

WORK, STAND, LEARNING = 390.0, 90.0, 300.0          # s
MOTION, SEEDS = 0, (1, 2)                           # settings were chosen with seed 0
NEAR, FAR = (0.1, 0.0, 0.1), (1.0, 0.0, 0.5)        # of the bucket's IMU, from its pin [m]
CASES = {'bucket IMU 0.14 m from its pin': (NEAR, True),        # place, whether stops are read
         'bucket IMU 1.1 m from its pin': (FAR, True),
         'bucket IMU 0.14 m from its pin, without stops': (NEAR, False)}
TARGET = 0.3                                        # degrees
SCALE, SHARE = 2000.0, 1.0                          # kg, full scale of the load; % of it
EDGE_EVERY = 5                                      # estimates from one force to the next
EDGE_SHARE = 5.0                                    # %, of the peak of the force at the edge
NAMES = {'boom_angle': 'boom', 'arm_angle': 'arm', 'bucket_angle': 'bucket'}


def measure(seeds=SEEDS):
    """Return figures of each case, with IMUs of each seed; the motion is one for all."""
    figures, work = [], settled(worked(MOTION, WORK, STAND))
    for seed in seeds:
        for case, (bucket_at, stops) in CASES.items():
            figures += [
                Figure(f'seed {seed}, {case}: {name}', value, unit, target)
                for name, (value, unit, target) in judged(work, seed, bucket_at, stops).items()]
    return figures


def judged(work, seed, bucket_at, stops=True, mechanism=None):
    """Return name -> (value, unit, target) of a Work.

    mechanism: what the machine is taken to be, default: model_excavator(); others: see sensed.
    """
    mechanism = mechanism or model_excavator()
    readings = sensed(work, seed, bucket_at)
    curled = readings.readings[:, -1].copy()
    if not stops:
        readings.readings[:, -len(STOPS):] = np.nan
    filter_ = angle_filter(mechanism, work, seed, bucket_at)
    scales, edge = Scales(mechanism, EVERY * SAMPLE), Edge(mechanism)
    places = [mechanism.independent.index(name) for name in LINKS]
    true = work.q[:, work.mechanism.places(list(LINKS))]
    rows = range(0, len(work.t), EVERY)
    off, deviations = np.empty((2, len(rows), len(LINKS)))
    pushes, learnt, took = [], None, 0.0
    for row, k in enumerate(rows):
        begin = process_time()
        if row > 0:
            filter_.predict(EVERY * SAMPLE)
        filter_.correct(readings.readings[k])
        estimate = filter_.estimate
        took += process_time() - begin
        off[row] = estimate.z[places] - true[k]
        deviations[row] = np.sqrt(estimate.covariance[places, places])
        learning = work.t[k] - work.t[0] < LEARNING
        if learnt is None and not learning:
            learnt = estimate
        scales.add(work.t[k], estimate, readings.p[k], curled[k])
        if not learning and work.phase[k] in DIGGING and row % EDGE_EVERY == 0:
            house = work.mechanism.body_motion('house', work.q[k]).rotation
            pushes.append([edge.force(estimate, readings.p[k]), (house.T @ work.push[k])[[0, 2]]])
    t = work.t[::EVERY] - work.t[0]
    working = (t >= LEARNING) & (work.t[::EVERY] < WORK)
    standing = work.t[::EVERY] >= WORK + 5.0
    return (_angles('at work after 5 min', off[working], deviations[working])
            | _angles('at rest', off[standing], deviations[standing])
            | _drift(t[standing], off[standing]) | _errors(learnt, readings)
            | _loads(work, scales.weighings) | _pushes(np.array(pushes))
            | {'predict, correct and estimate': (1e6 * took / len(rows), 'us', None)})


def _loads(work, weighings):
    """Return errors of loads in % of full scale, also less what the empty bucket weighed."""
    found = []
    for before, one in pairwise(weighings):
        true = float(np.interp(one.begin, work.t, work.load))
        if not one.empty and before.empty and one.begin - work.t[0] >= LEARNING:
            found.append([one.mass - true, one.deviation, one.mass - before.mass + LEAST - true,
                          np.hypot(one.deviation, before.deviation)])
    off, deviation, net, net_deviation = np.array(found).T * 100.0 / SCALE
    return {f'{name}: {what}': (value, unit, target)
            for name, errors, sigma in (('load', off, deviation),
                                        ('load less what the empty bucket weighed', net,
                                         net_deviation))
            for what, value, unit, target in (
                ('RMSE, of full scale', np.sqrt(np.mean(np.square(errors))), '%', SHARE),
                ('largest error, of full scale', np.max(np.abs(errors)), '%', SHARE),
                ('mean deviation claimed, of full scale', np.mean(sigma), '%', None),
                ('within intervals of 95 %', 100.0 * np.mean(np.abs(errors) < 1.96 * sigma), '%',
                 None))} | {'load: weighings': (len(off), '', None)}


def _pushes(pushes):
    """Return errors of the force at the edge; pushes (k, 2, 2): estimate and truth."""
    peak = np.max(np.linalg.norm(pushes[:, 1], axis=1))
    off = np.linalg.norm(pushes[:, 0] - pushes[:, 1], axis=1)
    return {'force at the edge: RMSE, of its peak': (
        100.0 * np.sqrt(np.mean(off * off)) / peak, '%', EDGE_SHARE),
        'force at the edge: largest error, of its peak': (100.0 * np.max(off) / peak, '%', None),
        'force at the edge: peak': (1e-3 * peak, 'kN', None)}


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
