"""Learned residuals of fits: what they leave, how often they are kept, with and without a cause."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from benchmarks.figures import Figure
from benchmarks.fit_machines import STEP, machine, mechanisms
from mb_estimators import FitRecording, FitSettings, fit, learn_residual
from mb_model import Mechanism
from mb_model.arrays import FloatArray

MACHINES = ('planar arm of 2', 'planar arm of 4', 'spatial arm of 3', 'spatial arm of 6',
            '3-RRR, closed')
_SETTINGS = FitSettings(averaging_time=STEP)
_DURATION = 12.0                # [s]
_SIZES = 0.1, 0.1               # of cogging and cable, against the torque of their drive
_COVERED = (0.9, 0.98)
_NEAR = (0.95, 1.1)             # of the error of a fit to the same forces without their cause


def measure(seeds: Sequence[int] = range(20), machines: Sequence[str] = MACHINES) -> list[Figure]:
    """Learn residuals of each machine, with cogging in the first drive and a cable on the second.

    seeds: of its numbers, motion and noise.
    """
    every, figures = mechanisms(), []
    for name in machines:
        kept, without_cause, errors, left, coverage = [], [], [], [], []
        for seed in seeds:
            one = machine(every[name], seed, _DURATION)
            plain = one.recording(seed)
            extra = _beside(every[name], plain)
            given = FitRecording(replace(plain.samples, torques=plain.samples.torques + extra))
            residual, none = (learn_residual(one.believed, [], [recording], settings=_SETTINGS)
                              for recording in (given, plain))
            kept.append(residual.is_kept)
            without_cause.append(none.is_kept)
            best = fit(one.believed, [], [plain], settings=_SETTINGS).held_out
            held = [fitted.held_out.residual[:2] for fitted in (residual.best, residual.without)
                    if fitted.held_out is not None]
            if best is not None:
                errors += (held[1] / best.residual[:2]).tolist()
                left += (held[0] / best.residual[:2]).tolist()
            coverage.append(residual.coverage)
        figures += [
            Figure(f'{name}: kept, of {len(kept)}', np.mean(kept), '1'),
            Figure(f'{name}: kept without a cause', np.mean(without_cause), '1', 0),
            Figure(f'{name}: error without it, against the least, median', np.median(errors), '1'),
            Figure(f'{name}: with it', np.median(left), '1', _NEAR),
            Figure(f'{name}: with it, 90 % are below', np.quantile(left, 0.9), '1'),
            Figure(f'{name}: coverage', np.mean(coverage), '1', _COVERED)]
    return figures


def _beside(mechanism: Mechanism, recording: FitRecording) -> FloatArray:
    """Return torques of cogging, fourteen to a turn, and of a cable that snaps over (k, d)."""
    samples, q, x = recording.samples, mechanism.q0, []
    for z in samples.motion.z:
        q = mechanism.assemble(z, q)
        x.append(q[mechanism.indices(mechanism.drives)])
    x = np.array(x) - np.mean(x, axis=0)
    size = np.sqrt(np.mean(samples.torques ** 2, axis=0))
    extra = np.zeros(samples.torques.shape)
    extra[:, 0] = _SIZES[0] * size[0] * np.sin(14.0 * x[:, 0])
    extra[:, 1] = _SIZES[1] * size[1] * np.tanh(2.0 * x[:, 1] / np.std(x[:, 1]))
    return extra
