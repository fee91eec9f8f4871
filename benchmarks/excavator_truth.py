"""How the excavator of the benchmarks works: a simulation with oil, on a base that sways."""

from dataclasses import dataclass, replace

import numpy as np

from benchmarks.excavator_machines import HELD, true_excavator
from mb_model import HydraulicStepper

STEP, SAMPLE, SETTLING = 2.5e-3, 5e-3, 10.0         # s
POSES = (                               # boom, arm, bucket [m], share of the swing, time to it [s]
    (2.45, 2.80, 2.00, 0.0, 3.5), (2.40, 3.20, 2.30, 0.0, 3.0), (2.55, 3.48, 2.45, 0.0, 2.5),
    (2.90, 3.45, 2.50, 0.3, 2.5), (2.98, 3.25, 2.50, 1.0, 4.0), (2.95, 2.95, 1.90, 1.0, 2.5),
    (2.75, 2.85, 1.95, 0.3, 3.5))
SWING = 1.5                             # rad
SPREAD = (0.06, 0.08, 0.06)             # m, by which lengths differ from one cycle to the next
FEED, GAIN = 6.5, 8.0                   # valve's opening per m/s, and per m
SLEW_STIFFNESS, SLEW_DAMPING, SLEW_LIMIT = 3.4e5, 3.6e5, 1.3e5
SLOPE = np.radians([5.0, -4.0])         # of the place, in roll and pitch
SWAY = np.radians([2.5, 2.0]), (0.11, 0.13)         # amplitudes, frequencies [Hz]
HEAVE = 3e4, 0.15                       # N, Hz


@dataclass
class Work:
    """A motion of the true machine, every SAMPLE.

    mechanism: the true one; t (k) [s], q, qd, qdd (k, n).
    """

    mechanism: object
    t: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray


def worked(seed, work, stand):
    """Return the Work of a seed: so many seconds of cycles, then so many at rest."""
    mechanism = true_excavator(seed)
    stepper, times, lengths = HydraulicStepper(mechanism), *_cycles(seed, work)
    slew, *turn, heave = mechanism.places(['slew', 'turn.x', 'turn.y', 'base.z'])
    stiffness = HELD['stiffness'][3]
    place, found = mechanism.independent.index('slew'), []
    for k in range(round((work + stand) / STEP)):
        wanted, rate = _wanted(times, lengths, k * STEP)
        stepper.set_valves(np.clip(FEED * rate[:3] + GAIN * (wanted[:3] - stepper.s), -1.0, 1.0))
        forces = stepper.coordinate_forces
        forces[slew] = np.clip(
            SLEW_STIFFNESS * (wanted[3] - stepper.z[place])
            + SLEW_DAMPING * (rate[3] - stepper.zd[place]), -SLEW_LIMIT, SLEW_LIMIT)
        phases = 2.0 * np.pi * np.array(SWAY[1]) * k * STEP
        forces[turn] = stiffness * (SLOPE + SWAY[0] * np.sin(phases))
        forces[heave] = HEAVE[0] * np.sin(2.0 * np.pi * HEAVE[1] * k * STEP)
        stepper.step(STEP)
        if (k + 1) % round(SAMPLE / STEP) == 0:
            stepper.refresh()
            found.append([x.copy() for x in (stepper.q, stepper.qd, stepper.qdd)])
    t = SAMPLE * np.arange(1, len(found) + 1)
    return Work(mechanism, t, *(np.array(values) for values in zip(*found, strict=True)))


def settled(work):
    """Return a Work without its first seconds, in which the base comes to rest on its springs."""
    begin = round(SETTLING / SAMPLE)
    return replace(work, **{name: getattr(work, name)[begin:]
                            for name in ('t', 'q', 'qd', 'qdd')})


def _cycles(seed, work):
    """Return times [s] and poses (k, 4) of cycles one after the other, the last one held."""
    random = np.random.default_rng([seed, 5])
    times, poses, side, t = [0.0, 2.0], 2 * [[2.65, 3.27, 2.25, 0.0]], 1.0, 2.0
    while t < work:
        for *lengths, share, seconds in POSES:
            t += seconds * random.uniform(0.8, 1.3)
            times.append(t)
            poses.append([*(np.array(lengths) + random.uniform(-1.0, 1.0, 3) * SPREAD),
                          side * SWING * share * random.uniform(0.7, 1.2)])
        side = -side
    return np.array(times), np.array(poses)


def _wanted(times, poses, t):
    """Return a pose and its rates (4): from one to the next without a jump of the acceleration."""
    k = int(np.clip(np.searchsorted(times, t, side='right') - 1, 0, len(times) - 2))
    seconds = times[k + 1] - times[k]
    x = min((t - times[k]) / seconds, 1.0)
    way = poses[k + 1] - poses[k]
    return (poses[k] + way * x ** 3 * (10.0 - 15.0 * x + 6.0 * x * x),
            way * 30.0 * x * x * (1.0 - x) ** 2 / seconds)
