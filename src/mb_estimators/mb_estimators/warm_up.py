"""Compile every kernel of mb_estimators, and of what it stands on, into numba's cache.

python -m mb_estimators.warm_up
"""

from importlib.metadata import entry_points
from time import perf_counter

import numpy as np

from mb_estimators.observability import observability
from mb_estimators.plugins import GROUP, make_filter
from mb_model import load_mechanism
from mb_sensors.warm_up import warm_up as warm_up_sensors

_DT = 0.005


def warm_up():
    """Let everything of ours that is compiled run once; the first call compiles."""
    warm_up_sensors()
    mechanism = load_mechanism('four_bar')
    for entry in entry_points(group=GROUP):
        if not entry.value.startswith('mb_estimators.'):
            continue
        filter_ = make_filter(entry.name, mechanism, list(mechanism.sensors), _DT)
        filter_.predict(_DT)
        filter_.correct(np.zeros(sum(len(sensor.channels) for sensor in filter_.sensors)))
    observability(mechanism, list(mechanism.sensors), _DT, _DT)


def main():
    """Warm the cache and tell how long it took."""
    start = perf_counter()
    warm_up()
    print(f'mb_estimators: kernels ready after {perf_counter() - start:.1f} s')


if __name__ == '__main__':
    main()
