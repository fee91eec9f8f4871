"""Machines in plane and space whose accelerations are disturbed by white noise of known density."""

from typing import NamedTuple

import numpy as np

from mb_estimators import Recording
from mb_model import load_mechanism
from mb_sensors import sensors_of, true_values


class Noisy(NamedTuple):
    """A true machine, what its file says, sensors by name, density, and numbers that are wrong.

    step: of the model [s].
    """

    truth: object
    file: object
    sensors: tuple
    psd: float
    numbers: dict
    step: float

    @property
    def values(self):
        """The true numbers and noises by name."""
        records = self.truth.parameter_records(list(self.numbers))
        return self.noises | dict(zip(self.numbers, records['value'].tolist(), strict=True))

    @property
    def noises(self):
        """The true noises by name."""
        return {'acceleration_psd': self.psd} | {
            f'{name}.sigma': sensor.settings.sigma for name, sensor in zip(
                self.sensors, sensors_of(self.truth, self.sensors), strict=True)}

    def recording(self, duration, dt, seed):
        """Return a Recording at steps dt [s], of Runge and Kutta's rule, impulses between."""
        truth, random = self.truth, np.random.default_rng(seed)
        root = np.linalg.cholesky(self.psd * np.array(
            [[dt ** 3 / 3.0, dt ** 2 / 2.0], [dt ** 2 / 2.0, dt]]))
        z, zd, q, states = truth.z0, truth.zd0, truth.q0, []

        def answer(z, zd):
            return truth.forward_dynamics(z, zd, None, q)
        for _ in range(round(duration / dt) + 1):
            q = truth.assemble(z, q)
            states.append((q, truth.velocity(q, zd)))
            one = answer(z, zd)
            two = answer(z + dt / 2.0 * zd, zd + dt / 2.0 * one)
            three = answer(z + dt / 2.0 * zd + dt ** 2 / 4.0 * one, zd + dt / 2.0 * two)
            four = answer(z + dt * zd + dt ** 2 / 2.0 * two, zd + dt * three)
            moved, turned = root @ random.normal(size=(2, truth.g))
            z = z + dt * zd + dt ** 2 / 6.0 * (one + two + three) + moved
            zd = zd + dt / 6.0 * (one + 2.0 * two + 2.0 * three + four) + turned
        q, qd = (np.array(rows) for rows in zip(*states, strict=True))
        sensors = sensors_of(truth, self.sensors)
        readings = np.hstack([true_values(truth, sensor, q, qd, np.zeros_like(q))
                              + sensor.settings.sigma * random.normal(
                                  size=(len(q), len(sensor.channels))) for sensor in sensors])
        return Recording(np.int64(round(1e9 * dt)) * np.arange(len(q)), readings)


def machines():
    """Return Noisy machines by name; noises in the file are off by 2 to 4, numbers by up to .3."""
    return {
        'four-bar linkage': _noisy(
            'four_bar', {'crank_encoder': (5e-3, 0.02), 'coupler_gyro': (0.02, 5e-3)}, 0.003,
            {'gravity': [0.0, -9.0], 'bodies': {'coupler': {'mass': 7.0}}},
            {'gravity.y': 0.2, 'bodies.coupler.mass': 0.5}, 5e-3),
        'slider-crank in space': _noisy(
            'spatial_slider_crank', {'crank_encoder': (2e-3, 8e-3), 'rod_gyro': (0.02, 5e-3)},
            2.0, {'bodies': {'slider': {'mass': 1.5}}}, {'bodies.slider.mass': 0.5}, 1.25e-3)}


def _noisy(name, sigmas, psd, wrong, numbers, step):
    truth, file = (load_mechanism(name).replace(sensors={
        sensor: {'sigma': pair[k]} for sensor, pair in sigmas.items()}) for k in (0, 1))
    return Noisy(truth, file.replace(**wrong), tuple(sigmas), psd, numbers, step)
