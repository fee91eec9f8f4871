"""Compile all that mb_simulation's own nodes call, into numba's cache.

python -m mb_simulation.warm_up               all prototypes, and their control
python -m mb_simulation.warm_up four_bar      the launched prototype of one mechanism

The packages below compile their kernels by their own warm_up before.
"""

from importlib import import_module
import sys
from time import perf_counter

from mb_model import load_mechanism
from mb_model.jit import compile_ahead, uncollected
from mb_simulation.control import Controller, ControlLoop, ControlSettings, TrajectorySettings, plan
from mb_simulation.prototypes import ENGINES, make_prototype

# Of the launch files: joints, oil, drives; in space joints and oil.
MECHANISMS = ('four_bar', 'crane', 'three_rrr', 'quarter_car', 'excavator')
_INTERVAL, _STEP = 1e-3, 5e-4       # [s]


def warm_up(mechanisms=MECHANISMS, engines=ENGINES):
    """Advance prototypes of mechanisms, by name, in simulators, with their control, once."""
    for name in mechanisms:
        mechanism = load_mechanism(name)
        for engine in engines:
            warm_up_prototype(engine, mechanism)


@uncollected()
def warm_up_prototype(engine, mechanism):
    """Return state, oil and loop residual of a prototype after one interval.

    Drives are controlled where each degree of freedom has one.
    """
    prototype = make_prototype(engine, mechanism, _INTERVAL, _STEP)
    act = None
    if len(mechanism.drives) == mechanism.g:
        trajectory = plan(mechanism, TrajectorySettings(kind='rectangle'))
        loop = ControlLoop(Controller(mechanism, trajectory, ControlSettings()), prototype,
                           mechanism)
        act = loop.act
    prototype.advance(act)
    return prototype.state, prototype.oil, prototype.loop_residual


@uncollected(for_good=True)
def main():
    """Warm the cache and print how long it took."""
    start = perf_counter()
    compile_ahead()
    if sys.argv[1:]:
        import_module('mb_simulation.nodes.prototype')      # compiles what it imports
        warm_up(sys.argv[1:], ENGINES[:1])
    else:
        warm_up()
    print(f'mb_simulation: kernels ready after {perf_counter() - start:.1f} s')


if __name__ == '__main__':
    main()
