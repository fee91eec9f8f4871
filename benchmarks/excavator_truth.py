"""How the excavator of the benchmarks works: a simulation with oil, on a base that sways.

It digs against a force at the bucket's edge, lifts its load with the bucket curled as far as it
goes, swings, and dumps with the bucket opened as far as it goes: pistons press against both stops.
"""

from dataclasses import dataclass, fields, replace

import numpy as np

from benchmarks.excavator_machines import HELD, true_excavator
from mb_model import HydraulicStepper

STEP, SAMPLE, SETTLING = 2.5e-3, 5e-3, 10.0         # s
POSES = (                               # boom, arm, bucket [m], share of the swing, time to it [s]
    (2.45, 2.80, 2.00, 0.0, 3.5), (2.40, 3.20, 2.30, 0.0, 3.0), (2.55, 3.48, 2.45, 0.0, 2.5),
    (2.90, 3.45, 2.78, 0.3, 2.5), (2.98, 3.25, 2.78, 1.0, 4.0), (2.95, 2.95, 1.55, 1.0, 2.5),
    (2.75, 2.85, 1.95, 0.3, 3.5))
DIGGING, FILLING, DUMPING = (1, 2), 2, 5            # poses on the way to which it does so
LEAST, FULL = 1.0, 1800.0               # kg, of the load
BUCKET_ENDS, SLOWED, CREEP = (1.65, 2.70), 0.15, 0.1       # m, m, valve's opening at the end
PUSH, PUSH_SLOPE = (15e3, 35e3), (0.2, 0.9)         # N, rad: of the ground at the edge
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

    mechanism: the true one; t (k) [s], q, qd, qdd (k, n), p (k, v) [Pa], load (k) [kg], push
    (k, 3): of the ground at the bucket's edge [N], phase (k): number of the next pose.
    """

    mechanism: object
    t: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    p: np.ndarray
    load: np.ndarray
    push: np.ndarray
    phase: np.ndarray


def worked(seed, work, stand):
    """Return the Work of a seed: so many seconds of cycles, then so many at rest."""
    mechanism = true_excavator(seed)
    stepper, cycles = HydraulicStepper(mechanism), Cycles(seed, work)
    slew, *turn, heave = mechanism.places(['slew', 'turn.x', 'turn.y', 'base.z'])
    edge = mechanism.places(['edge.x', 'edge.y', 'edge.z'])
    stiffness = HELD['stiffness'][3]
    place, found, inside = mechanism.independent.index('slew'), [], LEAST
    for k in range(round((work + stand) / STEP)):
        wanted, rate, load, push, phase = cycles.at(k * STEP)
        opening = FEED * rate[:3] + GAIN * (wanted[:3] - stepper.s)
        stepper.set_valves(np.clip(opening, *openings(stepper.s[2])))
        if load != inside:
            stepper.set_parameter('load', load)
            inside = load
        forces = stepper.coordinate_forces
        forces[slew] = np.clip(
            SLEW_STIFFNESS * (wanted[3] - stepper.z[place])
            + SLEW_DAMPING * (rate[3] - stepper.zd[place]), -SLEW_LIMIT, SLEW_LIMIT)
        phases = 2.0 * np.pi * np.array(SWAY[1]) * k * STEP
        forces[turn] = stiffness * (SLOPE + SWAY[0] * np.sin(phases))
        forces[heave] = HEAVE[0] * np.sin(2.0 * np.pi * HEAVE[1] * k * STEP)
        forces[edge] = push
        stepper.step(STEP)
        if (k + 1) % round(SAMPLE / STEP) == 0:
            stepper.refresh()
            found.append([x.copy() for x in (stepper.q, stepper.qd, stepper.qdd, stepper.p)]
                         + [load, push, phase])
    t = SAMPLE * np.arange(1, len(found) + 1)
    return Work(mechanism, t, *(np.array(values) for values in zip(*found, strict=True)))


def openings(length):
    """Return the least and the largest opening of each valve (3): it slows before a stop."""
    near = [max(CREEP, min(1.0, abs(length - end) / SLOWED)) for end in BUCKET_ENDS]
    return np.array([-1.0, -1.0, -near[0]]), np.array([1.0, 1.0, near[1]])


def settled(work):
    """Return a Work without its first seconds, in which the base comes to rest on its springs."""
    begin = round(SETTLING / SAMPLE)
    return replace(work, **{field.name: getattr(work, field.name)[begin:]
                            for field in fields(work) if field.name != 'mechanism'})


class Cycles:
    """Cycles one after the other, the last pose held: what is wanted, and what acts, at a time."""

    def __init__(self, seed, work):
        """Draw them."""
        random = np.random.default_rng([seed, 5])
        times, poses, side, t = [0.0, 2.0], 2 * [[2.65, 3.27, 2.25, 0.0]], 1.0, 2.0
        phases, loads, pushes = [-1], [LEAST], [np.zeros(2)]
        while t < work:
            load, push = random.uniform(LEAST, FULL), random.uniform(*PUSH)
            slope = random.uniform(*PUSH_SLOPE)
            for phase, (*lengths, share, seconds) in enumerate(POSES):
                t += seconds * random.uniform(0.8, 1.3)
                times.append(t)
                poses.append([*(np.array(lengths) + random.uniform(-1.0, 1.0, 3) * SPREAD),
                              side * SWING * share * random.uniform(0.7, 1.2)])
                phases.append(phase)
                loads.append(load)
                pushes.append(push * np.array([np.cos(slope), np.sin(slope)]))
            side = -side
        self._times, self._poses = np.array(times), np.array(poses)
        self._phases, self._loads, self._pushes = phases, loads, pushes

    def load_at(self, t):
        """Return the load of the cycle at t, whether it is in the bucket or not [kg]."""
        return self._loads[self._place(t)]

    def _place(self, t):
        """Return the number of the last pose before t."""
        return int(np.clip(np.searchsorted(self._times, t, side='right') - 1, 0,
                           len(self._times) - 2))

    def at(self, t):
        """Return a pose (4) and its rates, load [kg], push (3) [N], and phase, -1 for none."""
        k = self._place(t)
        seconds = self._times[k + 1] - self._times[k]
        x = min((t - self._times[k]) / seconds, 1.0)
        way, phase, load = self._poses[k + 1] - self._poses[k], self._phases[k], self._loads[k]
        filled = (0.0 if phase < FILLING else x if phase == FILLING else
                  max(0.0, min(1.0, 2.0 - 2.0 * x)) if phase == DUMPING else float(phase < DUMPING))
        along = np.sin(np.pi * x) ** 2 if phase in DIGGING else 0.0
        push = along * self._pushes[k]
        return (self._poses[k] + way * x ** 3 * (10.0 - 15.0 * x + 6.0 * x * x),
                way * 30.0 * x * x * (1.0 - x) ** 2 / seconds, LEAST + filled * (load - LEAST),
                np.array([push[0], 0.0, push[1]]), phase)
