"""The work cycle `excavator_afloat`: commands that dig, lift, swing and dump, then stand.

    python -m benchmarks.excavator_cycle src/mb_simulation/work_cycles/excavator_afloat.csv

An operator who sees the true lengths of the cylinders drives the MuJoCo prototype, and what it
commands every TICK is written.  Played to the same machine, it makes the same motion.
"""

from pathlib import Path
import sys

import numpy as np

from benchmarks.excavator_work import (
    FEED,
    GAIN,
    HEAVE,
    LEAST,
    SLEW_DAMPING,
    SLEW_LIMIT,
    SLEW_STIFFNESS,
    SLOPE,
    SWAY,
    Cycles,
    openings,
)
from mb_model import load_mechanism
from mb_simulation.as_built import as_built
from mb_simulation.prototypes import make_prototype

MOTION, MACHINE = 0, 0                  # seeds: of the cycles, of the machine as built
WORK, STAND = 390.0, 30.0               # s: no cycle begins later; at rest after the last one
INTERVAL, STEP, TICK = 5e-3, 1e-3, 0.05         # s: of states, steps and commands
RAMP, STIFFNESS = 5.0, 4e6              # s until the slope is there; N m/rad, as in the file
PARTS = 3                               # steps in which the load comes in
COLUMNS = ('boom', 'arm', 'bucket', 'load', 'z', 'roll', 'pitch', 'slew', 'edge.x', 'edge.z')


def commands():
    """Return the commands (k, 1 + columns), the time [s] first."""
    machine = as_built(load_mechanism('excavator_afloat'), MACHINE)
    prototype, cycles = make_prototype('mujoco', machine, INTERVAL, STEP), Cycles(MOTION, WORK)
    rows, every = [], round(TICK / INTERVAL)
    lengths = machine.places(['boom_length', 'arm_length', 'bucket_length'])
    slew = machine.places(['slew'])[0]
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


if __name__ == '__main__':
    main()
