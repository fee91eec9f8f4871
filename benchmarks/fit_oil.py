"""Whether intervals of numbers of oil hold: cranes and excavators with drawn oil and commands."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.figures import Figure
from mb_estimators import NORMAL_95, HeldInputs, Recording, fit_readings, stamps_of
from mb_estimators.command_api import oil_paths, oil_values, stiffnesses
from mb_model import Mechanism, WorkCycle, load_mechanism, simulate_hydraulics
from mb_model.arrays import FloatArray
from mb_model.file_api import parameter_overrides
from mb_sensors import RecordedSensor, sensors_of

_HELD = (0.9, 0.98)                 # share of the 95 % intervals
_OFF = 0.4                          # deviation of logarithms of numbers in the file
_STEP, _TICK, _RISE = 1e-3, 0.05, 0.2       # s: of the truth, of commands, of their ramps
_HOLDS = 0.5, 1.5                   # s, for which openings are held
_LEAK = 2e-14                       # past a piston, for its area in cm^2 [m^3/(s Pa)]


@dataclass(frozen=True)
class _Machine:
    """A machine with leakage, its sensors, openings of valves, time of a recording, step [s]."""

    mechanism: Mechanism
    sensors: list[str]
    openings: tuple[float, float]
    duration: float
    step: float


def _machines() -> dict[str, _Machine]:
    """Return the machines by name."""
    crane, excavator = load_mechanism('crane'), load_mechanism('excavator')
    return {'crane': _Machine(_leaking(crane), ['cylinder_encoder', 'pressure1', 'pressure2'],
                              (0.2, 0.6), 16.0, 1.8e-3),
            'excavator, space': _Machine(_leaking(excavator), ['encoders', 'pressures'],
                                         (0.1, 0.3), 12.0, 3.5e-3)}


def _leaking(mechanism: Mechanism) -> Mechanism:
    """Return a machine some of whose oil leaks past its pistons."""
    described: Any = mechanism.described.hydraulics
    return mechanism.replace(hydraulics={'cylinders': {
        name: {'leakage': 1e4 * _LEAK * one.piston_area}
        for name, one in described.cylinders.items()}})


def measure(seeds: Sequence[int] = range(1000, 1020),
            machines: Sequence[str] = ()) -> list[Figure]:
    """Fit the oil of each machine; seeds: of what its file says, of commands and noise.

    machines: names, default all.  How motion is free was chosen on seeds 0 to 116.
    """
    figures = []
    for name, one in _machines().items():
        if machines and name not in machines:
            continue
        missed: list[float] = []
        spread: dict[str, list[float]] = {}
        for seed in seeds:
            for kind, away, deviation in _missed(one, seed):
                missed.append(away / deviation)
                spread.setdefault(kind, []).append(deviation)
        figures.append(Figure(f'{name}: intervals that hold, of {len(missed)}',
                              np.mean(np.abs(missed) < NORMAL_95), '1', _HELD))
        figures += [Figure(f'{name}: deviation of {kind}, a share', np.median(own), '1')
                    for kind, own in spread.items()]
    return figures


def _missed(one: _Machine, seed: int) -> Iterator[tuple[str, float, float]]:
    """Yield (kind, error, deviation), shares, of all that a fit knows."""
    random = np.random.default_rng(seed)
    mechanism = one.mechanism
    true, paths = oil_values(mechanism), oil_paths(mechanism, 'oil')
    file = mechanism.replace(**parameter_overrides(mechanism, {
        path: float(true[path] * np.exp(_OFF * random.standard_normal())) for path in paths}))
    found = fit_readings(file, sensors_of(file, one.sensors), [recording(one, random, seed)],
                         one.step, (), dict.fromkeys(paths, 1.0), held_out=0.0)
    for number in found.numbers:
        if number.is_known:
            yield (number.path.rpartition('.')[2], float(np.log(number.value / true[number.path])),
                   number.deviation / number.value)
    whole = stiffnesses(mechanism.described.hydraulics)
    for known in found.together:
        yield (known.text.partition(': ')[2], float(np.log(known.value / whole[known.text])),
               known.deviation / known.value)


def recording(one: _Machine, random: np.random.Generator, seed: int) -> Recording:
    """Return the Recording of a run by drawn commands."""
    mechanism, circuit = one.mechanism, one.mechanism.circuit
    t = np.arange(0.0, one.duration, _TICK)
    valves = np.column_stack([_operated(t, one.openings, random) for _ in circuit.valves])
    run = simulate_hydraulics(mechanism, one.duration, _STEP, WorkCycle(circuit, t, valves),
                              estimate_error=False)
    stamps = np.array(stamps_of(run.t))
    readings = np.hstack([RecordedSensor(sensor, run, stamps).readings(seed)
                          for sensor in sensors_of(mechanism, one.sensors)])
    read, every = np.isfinite(readings).any(axis=1), round(_TICK / _STEP)
    return Recording(stamps[read], readings[read], inputs=HeldInputs(
        stamps[::every].tolist(), list(run.U_in[::every])))


def _operated(t: FloatArray, openings: tuple[float, float],
              random: np.random.Generator) -> FloatArray:
    """Return commands of a valve at t (k): out and in for as long, with other openings each time.
    """
    times, values = [0.0, _RISE], [0.0, 0.0]
    while times[-1] < t[-1]:
        opening, hold = random.uniform(*openings), random.uniform(*_HOLDS)
        for sign in random.permutation([-1.0, 1.0]):
            times += [times[-1] + _RISE, times[-1] + _RISE + hold, times[-1] + 2.0 * _RISE + hold]
            values += [sign * opening, sign * opening, 0.0]
    return np.interp(t, times, values)
