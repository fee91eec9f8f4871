"""A work cycle of the prototype, recorded as the truth of experiments."""

from typing import TYPE_CHECKING

import numpy as np

from mb_model import STATE, Mechanism, Run, WorkCycle
from mb_simulation.prototypes import make_prototype

if TYPE_CHECKING:
    from mb_simulation.prototypes.unmodelled import UnmodelledSettings


def recorded_cycle(mechanism: Mechanism, cycle: WorkCycle, dt: float = 1e-3, engine: str = 'mujoco',
                   unmodelled: 'UnmodelledSettings | None' = None) -> Run:
    """Return the Run with oil of a prototype of a Mechanism that does a WorkCycle, every dt [s].

    unmodelled: UnmodelledSettings of the prototype.
    Forces of the end stops are not recorded: NaN.  Raises ValueError for unfit mechanisms.
    """
    prototype = make_prototype(engine, mechanism, dt, dt, unmodelled=unmodelled)
    t = dt * np.arange(round(cycle.duration / dt) + 1)
    states, oils, parameters = [], [], []
    commands = np.array([cycle.valves_at(now) for now in t])
    for now, command in zip(t, commands, strict=True):
        if states:
            prototype.advance()
        prototype.set_valves(command)
        values = cycle.parameters_at(now)
        if any(prototype.parameters[name] != value for name, value in values.items()):
            prototype.set_parameters(values)
        states.append(prototype.state)
        oils.append(prototype.oil)
        parameters.append(prototype.parameters)
    oil = {name: np.array([getattr(one, name) for one in oils]) for name in ('p', 'supply_p', 'U',
                                                                             'force')}
    return Run(
        mechanism, t, *(np.array([getattr(state, name) for state in states]) for name in STATE),
        np.zeros((len(t), mechanism.g)), formulation=engine, integrator=engine, p=oil['p'],
        supply_p=oil['supply_p'], U=oil['U'], U_in=commands, cylinder_force=oil['force'],
        stop_force=np.full_like(oil['force'], np.nan),
        parameters={name: np.array([one[name] for one in parameters])
                    for name in cycle.parameters})
