"""Prints as JSON what steps of filters ask malloc for; runs with counted_malloc.c preloaded.

For each filter {part: [sizes in bytes]}; under '' the same of what Python does around kernels.
"""

from collections import Counter
import ctypes
import json
import sys

import numpy as np

from mb_estimators import available_filters, make_filter
from mb_estimators.filters.bank import FilterBank
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.motion_window import MotionWindow
from mb_estimators.plugins import filter_class
from mb_model import load_mechanism
from mb_model.jit import entry

DT, FEW, MANY = 0.005, 10, 30
MACHINES = {'four_bar': ['crank_encoder', 'crank_gyro'],
            'crane': ['cylinder_encoder', 'pressure1', 'pressure2']}


@entry
def takes_an_array(numbers):
    """Return a number; what a call of it costs is Python's."""
    return numbers[0]


@entry
def allocates(numbers):
    """Return a number, with an array of its own."""
    own = np.zeros(numbers.shape[0])
    own[:] = numbers
    return own.sum()


def sizes_of(counts, act):
    """Return the sizes [bytes] that act() asks for each time it is called."""
    act()

    def after(times):
        counts.begin_count()
        for _ in range(times):
            act()
        return Counter(counts.counted_size(k) for k in range(counts.end_count()))
    few, many = after(FEW), after(MANY)
    # What comes now and then is Python's: of a list that grows, of a table of names
    return sorted(size for size in many if many[size] - few[size] >= MANY - FEW)


def compiled(mechanism):
    """Return the names of the filters whose step is all in kernels."""
    return [name for name in available_filters(mechanism)
            if issubclass(filter_class(name), ModelFilter)
            and not issubclass(filter_class(name), FilterBank | MotionWindow)]


def main():
    """Print the sizes."""
    counts = ctypes.CDLL(sys.argv[1])
    counts.counted_size.restype = ctypes.c_size_t
    numbers, force = np.ones(3), np.ones(1)

    def add():
        nonlocal force
        force += 0.0
    found = {'': {'call': sizes_of(counts, lambda: takes_an_array(numbers)),
                  'add': sizes_of(counts, add),
                  'allocates': sizes_of(counts, lambda: allocates(numbers))}}
    for machine, sensors in MACHINES.items():
        mechanism = load_mechanism(machine)
        for name in compiled(mechanism):
            if machine == 'crane' and not name.startswith('hydraulic'):
                continue
            filter_ = make_filter(name, mechanism, sensors, DT)
            size = sum(len(sensor.channels) for sensor in filter_.sensors)
            readings = np.zeros(size)
            fit = filter_.correct(readings)
            readings[fit.channels] = -fit.residual
            filter_.reset(mechanism.z0, mechanism.zd0)
            found[name] = {
                'predict': sizes_of(counts, lambda own=filter_: own._step(DT)),
                'correct': sizes_of(counts, lambda own=filter_, y=readings: own._correct(y))}
    print(json.dumps(found))


if __name__ == '__main__':
    main()
