"""The work cycle `excavator_afloat`: commands that dig, lift, swing and dump, then stand.

    python -m benchmarks.excavator_cycle src/mb_simulation/work_cycles/excavator_afloat.csv

An operator who sees the true lengths of the cylinders drives the MuJoCo prototype, and what it
commands every TICK is written.  Played to the same machine, it makes the same motion.
"""

from pathlib import Path
import sys

import numpy as np

from mb_model import load_mechanism
from mb_simulation.as_built import as_built
from mb_simulation.prototypes import make_prototype

MOTION, MACHINE = 0, 0                  # seeds: of the cycles, of the machine as built
WORK, STAND = 390.0, 30.0               # s: no cycle begins later; at rest after the last one
INTERVAL, STEP, TICK = 5e-3, 1e-3, 0.05         # s: of states, steps and commands
RAMP, STIFFNESS = 5.0, 4e6              # s until the slope is there; N m/rad, as in the file
PARTS = 3                               # steps in which the load comes in
COLUMNS = ('boom', 'arm', 'bucket', 'load', 'z', 'roll', 'pitch', 'slew', 'edge.x', 'edge.z')
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


def commands():
    """Return the commands (k, 1 + columns), the time [s] first."""
    machine = as_built(load_mechanism('excavator_afloat'), MACHINE)
    prototype, cycles = make_prototype('mujoco', machine, INTERVAL, STEP), Cycles(MOTION, WORK)
    rows, every = [], round(TICK / INTERVAL)
    lengths = machine.indices(['boom_length', 'arm_length', 'bucket_length'])
    slew = machine.indices(['slew'])[0]
    for k in range(round((np.ceil(cycles.end) + STAND) / INTERVAL) + 1):
        if k % every == 0:
            state = prototype.state
            rows.append(command(k * INTERVAL, cycles, state.q[lengths], state.q[slew],
                                state.qd[slew]))
            prototype.set_valves(rows[-1][1:4])
            prototype.set_drive_torques(rows[-1][5:])
            if len(rows) < 2 or rows[-1][4] != rows[-2][4]:
                prototype.set_parameters({'load': float(rows[-1][4])})
        prototype.advance()
    return np.array(rows)


def command(t, cycles, lengths, slew, rate_of_slew):
    """Return one row of commands at a time [s]; lengths (3) [m], slew [rad] and its rate."""
    wanted, rate, load, push = cycles.at(t)
    valves = np.clip(FEED * rate[:3] + GAIN * (wanted[:3] - lengths), *openings(lengths))
    motor = np.clip(SLEW_STIFFNESS * (wanted[3] - slew) + SLEW_DAMPING * (rate[3] - rate_of_slew),
                    -SLEW_LIMIT, SLEW_LIMIT)
    full = cycles.load_at(t)
    parts = LEAST if load <= LEAST else LEAST + (full - LEAST) * round(
        PARTS * (load - LEAST) / (full - LEAST)) / PARTS
    turn = min(t / RAMP, 1.0) * STIFFNESS * (SLOPE + SWAY[0] * np.sin(
        2.0 * np.pi * np.array(SWAY[1]) * t))
    heave = HEAVE[0] * np.sin(2.0 * np.pi * HEAVE[1] * t)
    row = [t, *np.round(valves, 4), round(parts, 1), round(heave), *np.round(turn), round(motor),
           round(push[0]), round(push[2])]
    return np.array(row, float)


def main():
    """Write the file that is named."""
    rows = commands()
    lines = [','.join(f'{value:.6g}' for value in row) for row in rows]
    Path(sys.argv[1]).write_text('\n'.join([','.join(('t', *COLUMNS)), *lines, '']))


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


if __name__ == '__main__':
    main()
