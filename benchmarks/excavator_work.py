"""How the excavator works: what its operator wants, and what acts on it, at any time.

Once it moves each cylinder to a stop, slowly.  Then it digs against a force at the bucket's edge,
lifts its load with the bucket curled as far as it goes, swings, and dumps with the bucket opened:
the piston presses against its stop.
"""

import numpy as np

POSES = (                               # boom, arm, bucket [m], share of the swing, time to it [s]
    (2.45, 2.80, 2.00, 0.0, 3.5), (2.40, 3.20, 2.30, 0.0, 3.0), (2.55, 3.48, 2.45, 0.0, 2.5),
    (2.90, 3.45, 2.78, 0.3, 2.5), (2.98, 3.25, 2.78, 1.0, 4.0), (2.95, 2.95, 1.55, 1.0, 2.5),
    (2.75, 2.85, 1.95, 0.3, 3.5))
DIGGING, FILLING, DUMPING = (1, 2), 2, 5            # poses on the way to which it does so
LEAST, FULL = 1.0, 1800.0               # kg, of the load
ENDS = np.array([(1.90, 3.25), (2.30, 3.90), (1.65, 2.70)])    # m, of the cylinders' strokes
SLOWED, CREEP = 0.15, 0.1               # m, valve's opening at the end
BEGIN = 2.65, 3.27, 2.25                # m: lengths at the start
# m: near the stops of boom, then of arm and bucket, and pressing: slowly is read best
NEAR = (1.935, 3.50, 2.25), (2.65, 2.335, 1.70)
PRESSING = (1.88, 3.445, 2.195), (2.595, 2.28, 1.645)
WARM_UP = ((2.0, BEGIN), (7.5, NEAR[0]), (12.5, PRESSING[0]), (13.5, PRESSING[0]), (19.0, NEAR[1]),
           (24.0, PRESSING[1]), (25.0, PRESSING[1]), (29.0, BEGIN))     # s, and where then
PUSH, PUSH_SLOPE = (15e3, 35e3), (0.2, 0.9)         # N, rad: of the ground at the edge
SWING = 1.5                             # rad
SPREAD = (0.06, 0.08, 0.06)             # m, by which lengths differ from one cycle to the next
FEED, GAIN = 6.5, 8.0                   # valve's opening per m/s, and per m
SLEW_STIFFNESS, SLEW_DAMPING, SLEW_LIMIT = 3.4e5, 3.6e5, 1.3e5
SLOPE = np.radians([5.0, -4.0])         # of the place, in roll and pitch
SWAY = np.radians([2.5, 2.0]), (0.11, 0.13)         # amplitudes, frequencies [Hz]
HEAVE = 3e4, 0.15                       # N, Hz


def openings(lengths):
    """Return the least and the largest opening of each valve (3): it slows before a stop."""
    near = np.clip(np.abs(np.asarray(lengths)[:, np.newaxis] - ENDS) / SLOWED, CREEP, 1.0)
    return -near[:, 0], near[:, 1]


class Cycles:
    """Cycles one after the other, the last pose held: what is wanted, and what acts, at a time."""

    def __init__(self, seed, work):
        """Draw them."""
        random = np.random.default_rng([seed, 5])
        times, poses = [0.0, *(t for t, _ in WARM_UP)], [[*BEGIN, 0.0]]
        poses += [[*lengths, 0.0] for _, lengths in WARM_UP]
        side, t, before = 1.0, times[-1], len(WARM_UP)
        phases, loads, pushes = before * [-1], before * [LEAST], before * [np.zeros(2)]
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

    @property
    def end(self):
        """When the last cycle is over [s]."""
        return float(self._times[-1])

    def load_at(self, t):
        """Return the load of the cycle at t, whether it is in the bucket or not [kg]."""
        return self._loads[self._place(t)]

    def _place(self, t):
        """Return the number of the last pose before t."""
        return int(np.clip(np.searchsorted(self._times, t, side='right') - 1, 0,
                           len(self._times) - 2))

    def at(self, t):
        """Return a pose (4) and its rates, load [kg] and push (3) [N]."""
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
                np.array([push[0], 0.0, push[1]]))
