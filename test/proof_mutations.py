"""A pytest plugin that runs each test twice: as it is, and with the feature that it proves off.

PROOFS: a file of JSON, {test: feature of MUTATIONS}, from which it takes which feature a test
proves; it writes {test: [passed as it is, passed without the feature]} back to the file.
"""

from contextlib import contextmanager, nullcontext
from importlib import import_module
from inspect import signature
import json
import os
from pathlib import Path
from unittest.mock import patch

from _pytest.runner import runtestprotocol
from hypothesis import Phase, settings
import pytest

from mb_estimators.filters.model_filter import ModelFilter

FILTERS = 'mb_estimators.filters'
# Row of docs/evidence/comparison.md: (module, attribute, what is there without it)
MUTATIONS = {
    'unknown forces': (
        f'{FILTERS}.estimated_force', 'ForceFilter._step',
        lambda self, dt: ModelFilter._step(self, dt)),
    'sensor noise that adapts': (
        f'{FILTERS}.noise_adaptation', 'adapt_maximum_likelihood', lambda *args: None),
    'coloured noise': (
        f'{FILTERS}.coloured_noise', 'colour', lambda *args: True),
    'IMU biases': (
        f'{FILTERS}.model_filter', 'write_biases',
        lambda record, sensors, biases: record['bias_of'].fill(-1)),
    'outliers': (
        'mb_estimators.watches.gating', 'GatedFilter._doubts', lambda self, innovation: {}),
    'a gate that would lock the filter out': (
        'mb_estimators.watches.gating', 'GatedFilter._is_lost', lambda *args: False),
    'gaps': (
        'mb_estimators.stream.stream_state', 'Source.missing_between', lambda *args: 0),
    'stamps of devices with clocks of their own': (
        'mb_ros.device_clock', 'DeviceClock.arrival',
        lambda self, device_time, arrival: arrival),
    'asynchronous readings': (
        'mb_estimators.stream.interpolation', 'Interpolation.add',
        lambda self, stamp, values: [(stamp, values)]),
    '`/diagnostics`': (
        'mb_ros.input_meter', 'InputMeter.take', lambda *args: None),
}
settings.register_profile('mutated', phases=[Phase.explicit, Phase.generate])    # do not shrink
settings.load_profile('mutated')


@contextmanager
def without(feature):
    """Take a feature of MUTATIONS out.

    Raises AttributeError if what gives it has moved, TypeError if it has other arguments now: then
    tests would fail for another reason than they should.
    """
    module, attribute, instead = MUTATIONS[feature]
    owner = import_module(module)
    *path, name = attribute.split('.')
    for part in path:
        owner = getattr(owner, part)
    taken, wanted = signature(instead).parameters, signature(getattr(owner, name)).parameters
    if 'args' not in taken and list(taken) != list(wanted):
        raise TypeError(f'{feature}: {attribute} takes {", ".join(wanted)}')
    with patch.object(owner, name, instead):
        yield


class Twice:
    """Runs all tests, and then all of them again, each without its feature."""

    def __init__(self, file):
        self._file, self._proofs = file, json.loads(file.read_text())
        self._begun, self._found = set(), {}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        """Let the first case of every test be run twice."""
        first = {item.nodeid.partition('[')[0]: item for item in reversed(items)}
        items[:] = 2 * list(first.values())

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item, nextitem):
        """Run a test with or without its feature."""
        test = item.nodeid.partition('[')[0]
        passed, again = self._found.setdefault(test, [True, True]), item.nodeid in self._begun
        self._begun.add(item.nodeid)
        with without(self._proofs[test]) if again else nullcontext():
            reports = runtestprotocol(item, nextitem=nextitem, log=False)
        for report in reports:
            if report.failed:
                passed[again] = False
                if not again or report.when != 'call':
                    print(report.longreprtext)
        return True

    def pytest_sessionfinish(self):
        """Write what was found."""
        self._file.write_text(json.dumps(self._found))


def pytest_configure(config):
    """Set up."""
    config.pluginmanager.register(Twice(Path(os.environ['PROOFS'])))
