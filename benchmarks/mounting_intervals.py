"""Whether the intervals of mountings, delays and biases hold: drawn IMUs, 50 seeds each."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation
import yaml

from benchmarks.figures import Figure
from mb_estimators import FitSettings, MountingRecording, fit_mountings
from mb_model import Mechanism, load_mechanism
from mb_model.arrays import FloatArray
from mb_sensors import RecordedMotion, SensorNoise, motion_of_encoders, sensors_of, true_values

_NORMAL = 1.959964
_HELD = (0.9, 0.98)             # share of the 95 % intervals
_STEP, _DURATION, _LATEST = 5e-3, 8.0, 0.09     # s
_WAVES = 4
_OFF, _BIASES = 0.05, {'accelerometer': 0.2, 'gyroscope': 0.02}
_FREE = ['mountings', 'delays', 'biases']
_SETTINGS = FitSettings(held_out=0.0)
_HINGE = """
name: hinge
dimension: 3
gravity: [0, 0, -9.81]
ground: {O: [0, 0, 0]}
bodies: {flap: {points: {O: [0, 0, 0]}}}
joints: {hinge: {kind: revolute, bodies: [ground, flap], at: O, axis: [0, 1, 0]}}
coordinates: {pitch: {kind: angle, joint: hinge}}
independent: [pitch]
sensors:
  gyro: {kind: gyroscope, body: flap, sigma: 0.003, rate: 200.0, topic: imu}
  acc: {kind: accelerometer, body: flap, at: O, sigma: 0.03, rate: 200.0, topic: imu}
  encoder: {kind: angle_encoder, coordinate: pitch, sigma: 0.0005, rate: 200.0}
sensor_groups: {imu: [gyro, acc]}
"""


def _machines() -> dict[str, tuple[Mechanism, str, list[str], float]]:
    """Return name -> (mechanism, its encoders, its IMU, how far it moves)."""
    pendulum = load_mechanism('pendulum').replace(sensors={
        'encoder': {'sigma': 5e-4}, 'gyro': {'sigma': 3e-3, 'topic': 'imu'},
        'acc': {'kind': 'accelerometer', 'body': 'rod', 'at': [0.5, 0.0], 'sigma': 0.03,
                'rate': 200.0, 'topic': 'imu'}})
    return {'rod on a hinge, plane': (pendulum, 'encoder', ['gyro', 'acc'], 0.6),
            '3-RRR, plane': (load_mechanism('three_rrr'), 'drive_encoders', ['imu'], 0.05),
            'flap on a hinge, space': (Mechanism(yaml.safe_load(_HINGE), 'hinge.yaml'), 'encoder',
                                       ['imu'], 0.4),
            'six-axis arm, space': (load_mechanism('six_axis_arm'), 'encoders', ['imu'], 0.4)}


def measure(seeds: Sequence[int] = range(50), machines: Sequence[str] = ()) -> list[Figure]:
    """Fit each machine's IMU; seeds: of its mounting, delay and biases, motion and noise.

    machines: names, default all.
    """
    figures = []
    for name, machine in _machines().items():
        if machines and name not in machines:
            continue
        held: list[bool] = []
        late: list[bool] = []
        spread: list[float] = []
        for seed in seeds:
            for path, missed, deviation in _missed(*machine, seed):
                held.append(abs(missed) < _NORMAL * deviation)
                if path.endswith('.delay'):
                    late.append(held[-1])
                    spread.append(deviation)
        figures += [Figure(f'{name}: intervals that hold, of {len(held)}', np.mean(held), '1',
                           _HELD),
                    Figure(f'{name}: of the delay, of {len(late)}', np.mean(late), '1'),
                    Figure(f'{name}: deviation of the delay', np.median(spread), 's')]
    return figures


def _missed(mechanism: Mechanism, encoders: str, imu: list[str], reach: float, seed: int
            ) -> list[tuple[str, float, float]]:
    """Return (path, error, deviation) of the numbers that a fit knows."""
    random = np.random.default_rng(seed)
    offset, turn = _OFF * random.standard_normal(3), Rotation.random(random_state=seed)
    delay, space = random.uniform(-_LATEST, _LATEST), mechanism.dimension == 3
    truth: dict[str, float] = {}
    entries: dict[str, dict[str, Any]] = {}
    angle = float(turn.as_euler('xyz')[2])
    for sensor in sensors_of(mechanism, imu):
        sits = sensor.kind == 'accelerometer'
        entries[sensor.name] = {
            **({'at': offset[:mechanism.dimension].tolist()} if sits else {}),
            **({'rpy': turn.as_euler('xyz').tolist()} if space else
               {'orientation': angle} if sits else {})}
        if sits:
            truth |= {f'{sensor.name}.at.{axis}': value
                      for axis, value in zip('xyz', offset, strict=True)}
            truth |= {f'{sensor.name}.rpy.{axis}': value for axis, value in zip(
                ('roll', 'pitch', 'yaw'), turn.as_euler('xyz'), strict=True)}
            truth |= {f'{sensor.name}.orientation': angle, f'{sensor.name}.delay': delay}
    built = mechanism.replace(sensors=entries)
    t = np.arange(0.0, _DURATION, _STEP)
    waves = _waves(mechanism, reach, random)
    stamps = np.round(1e9 * (t + 1.0)).astype(np.int64)
    late = RecordedMotion(stamps, *waves(t - delay)).states(built)
    readings = {}
    for sensor in sensors_of(built, imu):
        biases = _BIASES[sensor.kind] * random.standard_normal(len(sensor.channels))
        values = true_values(built, sensor, *late) + biases
        readings[sensor.name] = stamps, values + sensor.settings.sigma * random.standard_normal(
            values.shape)
        axes = sensor.axes if len(sensor.channels) > 1 else ('z',)
        truth |= {f'{sensor.name}.bias.{axis}': bias
                  for axis, bias in zip(axes, biases, strict=True)}
    own = sensors_of(mechanism, encoders)
    states = RecordedMotion(stamps, *waves(t)).states(mechanism)
    angles = np.hstack([SensorNoise(one.settings, seed, one.name).readings(
        range(len(t)), true_values(mechanism, one, *states)) for one in own])
    motion = motion_of_encoders(mechanism, own, stamps, angles, _SETTINGS.imu_knot_spacing)
    fitted = fit_mountings(mechanism, _FREE, [MountingRecording(motion, readings)], _SETTINGS)
    missed = []
    for one in fitted.numbers:
        if one.is_known:
            error = one.value - truth[one.path.removeprefix('sensors.')]
            if '.rpy.' in one.path or one.path.endswith('.orientation'):
                error = float(np.remainder(error + np.pi, 2.0 * np.pi) - np.pi)
            missed.append((one.path, error, one.deviation))
    return missed


def _waves(mechanism: Mechanism, reach: float, random: np.random.Generator) -> Any:
    """Return a function t (k) -> z, zd, zdd (k, g): waves about the start."""
    rates = random.uniform(0.7, 4.0, (_WAVES, mechanism.g)) * np.sqrt(
        np.arange(1, _WAVES + 1))[:, np.newaxis]
    phases = random.uniform(0.0, 2.0 * np.pi, rates.shape)
    sizes = reach * random.uniform(0.3, 1.0, rates.shape) / 2.0

    def states(t: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        wave = rates * t[:, np.newaxis, np.newaxis] + phases
        return (mechanism.z0 + np.sum(sizes * np.sin(wave), axis=1),
                np.sum(sizes * rates * np.cos(wave), axis=1),
                -np.sum(sizes * rates ** 2 * np.sin(wave), axis=1))
    return states
