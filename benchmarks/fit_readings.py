"""Whether intervals of noises and numbers by readings hold, and how many passes they take."""

from collections.abc import Sequence

import numpy as np

from benchmarks.figures import Figure
from benchmarks.noisy_motion import machines as noisy_machines
from mb_estimators import fit_readings, log_likelihood, make_filter, observe, tune
from mb_sensors import sensors_of

DURATION, PERIOD = 4.0, 5e-3            # s
_HELD = (0.9, 0.99)                     # share of the 95 % intervals
_SHARE = 0.1                            # of the passes of a search
_SAME = 1e-3                            # of the logarithm of the likelihood per reading
_TRIALS = 300


def measure(seeds: Sequence[int] = range(50), machines: Sequence[str] = ()) -> list[Figure]:
    """Fit noises and numbers of each machine; seeds: of plant and sensors.

    machines: names, default all.
    """
    figures = []
    for name, one in noisy_machines().items():
        if machines and name not in machines:
            continue
        rows, passes, held_out = [], [], []
        for seed in seeds:
            found = fit_readings(one.file, sensors_of(one.file, one.sensors),
                                 [one.recording(DURATION, PERIOD, seed)], one.step, ('*',),
                                 one.numbers)
            ends = found.intervals | {noise.name: (noise.low, noise.high)
                                      for noise in found.noises}
            rows.append([(found.values[path] / value, ends[path][0] <= value <= ends[path][1])
                         for path, value in one.values.items()])
            passes.append(found.passes)
            held_out += [judged.expected[0] <= judged.square <= judged.expected[1]
                         for judged in found.judged.held_out]
        ratios, inside = np.moveaxis(np.array(rows), 2, 0)
        for k, path in enumerate(one.values):
            figures += [Figure(f'{name}: {path}, mean of found / true', ratios[:, k].mean(), '1'),
                        Figure(f'{name}: {path}, in its 95 % interval', inside[:, k].mean(), '1')]
        figures += [
            Figure(f'{name}: intervals that hold, of {inside.size}', inside.mean(), '1', _HELD),
            Figure(f'{name}: held-out squares in their interval', np.mean(held_out), '1'),
            Figure(f'{name}: passes of the filter', np.mean(passes), '1')]
    return figures


def measure_fit_passes() -> list[Figure]:
    """Count the passes of fit, and of tune until it is as likely, for three noises."""
    one = noisy_machines()['four-bar linkage']
    recording, sensors = one.recording(DURATION, PERIOD, 0), sensors_of(one.truth, one.sensors)
    believed = [sensor.with_settings(other.settings) for sensor, other in zip(
        sensors, sensors_of(one.file, one.sensors), strict=True)]
    found = fit_readings(one.truth, believed, [recording], one.step)
    observed = observe(make_filter(
        'error_ekf_ej', one.truth, found.sensors, one.step, acceleration_psd=found.psds[0]),
        recording.stamps, recording.readings, one.step)
    likely, tried = log_likelihood(recording.readings, observed), []

    def progress(count: int, _: object, loss: float) -> None:
        if -loss < likely - _SAME:
            tried.append(count)
    tune('error_ekf_ej', one.truth, believed, [recording],
         {'acceleration_psd': None, **{f'{name}.sigma': None for name in one.sensors}}, one.step,
         trials=_TRIALS, processes=1, progress=progress)
    passes = max(tried) + 1
    return [Figure('passes of tune until it is as likely', passes, '1'),
            Figure('passes of fit', found.passes, '1', _SHARE * passes)]
