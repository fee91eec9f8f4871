"""Compile kernels of mb_estimators, and of the packages below, into numba's cache.

python -m mb_estimators.warm_up             everything, all choices of settings, in two processes
python -m mb_estimators.warm_up error_ekf   all that the three-simulation launch calls
"""

from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from importlib import import_module
from importlib.metadata import entry_points
from multiprocessing import get_context
import sys
from time import perf_counter

import numpy as np

from mb_estimators.consistency.window import ConsistencySettings, ConsistencyWindow
from mb_estimators.filter import Acting, FilterError, needs_hydraulics
from mb_estimators.observability.determined import undetermined
from mb_estimators.plugins import GROUP, filter_class, make_filter
from mb_estimators.watches.lost import LostWatch
from mb_model import load_mechanism
from mb_model.command_api import USER_ERROR, with_progress
from mb_model.jit import compile_ahead, uncollected
from mb_model.kernel_api import warm_up_steps
from mb_sensors import true_values
from mb_sensors.kernel_api import warm_up as warm_up_sensors, warm_up_readings

_DT = 0.005


def warm_up():
    """Call all kernels of mb_estimators once; the first call compiles."""
    ours = [entry.name for entry in entry_points(group=GROUP)
            if entry.value.startswith('mb_estimators.')]
    with ProcessPoolExecutor(2, get_context('fork')) as pool:
        tasks = [pool.submit(_warm_up_sensors), pool.submit(_warm_up_observability),
                 pool.submit(_warm_up_graphs),
                 *(pool.submit(warm_up_choices, name) for name in ours)]
        ready = as_completed(tasks)
        for _ in with_progress(len(tasks), 'kernels of filters and models'):
            next(ready).result()


def warm_up_launch(name):
    """Call all that the nodes of the three-simulation launch call once."""
    mechanism = load_mechanism('four_bar')
    mechanism.velocity(mechanism.q0, mechanism.zd0)      # where the prototype starts
    warm_up_steps()
    warm_up_readings()
    warm_up_filter(name)


def alternatives(name):
    """Return settings of a filter, one in each: all other choices that it offers, as mappings."""
    choices = []
    for setting, kind, description in filter_class(name).Settings.describe():
        values = (False, True) if kind is bool else description.choices
        default = filter_class(name).Settings.defaults()[setting] if values else None
        choices += [{setting: value} for value in values if value != default]
    return choices


def warm_up_choices(name):
    """Do as warm_up_filter with all choices of a filter, where one needs no other one."""
    warm_up_filter(name)
    for settings in alternatives(name):
        with suppress(FilterError):
            warm_up_filter(name, **settings)


@uncollected()
def warm_up_filter(name, **settings):
    """Let a filter predict, correct and estimate once, by readings at rest, with its watches.

    Return the Estimate.
    """
    oil = needs_hydraulics(filter_class(name))
    mechanism = load_mechanism('crane' if oil else 'four_bar')
    filter_ = make_filter(name, mechanism, list(mechanism.sensors), _DT, **settings)
    filter_.predict(_DT)
    if isinstance(filter_, Acting):
        filter_.act(None)
    filter_.correct(np.concatenate([_reading_at_rest(mechanism, sensor)
                                    for sensor in filter_.sensors]))
    ConsistencyWindow(filter_.sensors, ConsistencySettings())
    LostWatch(mechanism, filter_.sensors)
    undetermined(mechanism, [sensor.name for sensor in filter_.sensors])
    return filter_.estimate


def _reading_at_rest(mechanism, sensor):
    if sensor.volume:
        return mechanism.circuit.p0[[mechanism.circuit.volumes.index(sensor.volume)]]
    q, rest = mechanism.q0[np.newaxis], np.zeros((1, mechanism.n))
    return true_values(mechanism, sensor, q, rest, rest)[0]


@uncollected()
def _warm_up_sensors():
    """Call all kernels of models and sensors once, and compile what filters add for space."""
    warm_up_sensors()
    import_module('mb_estimators.kernels.sensor_states')


@uncollected()
def _warm_up_observability():
    # Imported here, as below: a launch needs neither.
    from mb_estimators.observability.study import observability
    mechanism = load_mechanism('four_bar')
    observability(mechanism, list(mechanism.sensors), _DT, _DT)


@uncollected()
def _warm_up_graphs():
    from mb_estimators.factor_graph.forward import forward
    from mb_estimators.factor_graph.inverse import inverse
    mechanism = load_mechanism('four_bar')
    for coordinates in ('dependent', 'independent'):
        forward(mechanism, _DT, _DT, coordinates=coordinates)
    inverse(mechanism, 3 * [mechanism.z0], _DT)


@uncollected(for_good=True)
def main():
    """Warm the cache and print how long it took."""
    start = perf_counter()
    compile_ahead()
    for name in sys.argv[1:]:
        try:
            filter_class(name)
        except ValueError as error:
            print(f'estimator: {error}', file=sys.stderr)
            sys.exit(USER_ERROR)
        warm_up_launch(name)
    if len(sys.argv) == 1:
        warm_up()
    print(f'mb_estimators: kernels ready after {perf_counter() - start:.1f} s')


if __name__ == '__main__':
    main()
