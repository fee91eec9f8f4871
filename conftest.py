"""What all tests share: the report of a crash, how hard fuzz tests try, copies of damaged bags.

CRASH_REPORT names the file of what test/crash_report.py prints of a crash of pytest.
"""

import faulthandler
import os
import re

from hypothesis import HealthCheck, settings
import pytest

# Fuzz tests (marker `fuzz`) take their number of examples from the profile: `make test-thorough`.
settings.register_profile('thorough', max_examples=1000, deadline=None, print_blob=True,
                          suppress_health_check=list(HealthCheck))


@pytest.fixture(scope='session')
def damaged_copy():
    """Return a function that copies a bag, some messages of it as other bytes."""
    def three(topic, place, data):
        return {0: b'', 5: data[:len(data) // 2], 9: data[:4] + b'\xff' * 40}.get(place, data)

    def copy(source, target, change=three):
        """change(topic, place among its messages, bytes) -> bytes; without it three of a topic."""
        import rosbag2_py  # only where there is one
        reader, writer = rosbag2_py.SequentialReader(), rosbag2_py.SequentialWriter()
        reader.open_uri(str(source))
        writer.open(rosbag2_py.StorageOptions(uri=str(target), storage_id='mcap'),
                    rosbag2_py.ConverterOptions('cdr', 'cdr'))
        places = {}
        for topic in reader.get_all_topics_and_types():
            places[topic.name] = 0
            writer.create_topic(topic)
        while reader.has_next():
            topic, data, stamp = reader.read_next()
            writer.write(topic, bytes(change(topic, places[topic], data)), stamp)
            places[topic] += 1
        del writer      # the bag is complete then
        return target

    return copy


class CrashReport:
    """Notes which test runs, and lets a crash write after it where all threads were."""

    def __init__(self, file):
        self._file = open(file, 'w', buffering=1, encoding='utf-8')     # noqa: SIM115

    def _note(self, place):
        self._file.seek(0)
        self._file.truncate()
        print(place, file=self._file)

    def pytest_sessionstart(self):
        """Take over from pytest, which would have it written amid the output."""
        self._note('before the first test')
        faulthandler.enable(self._file)

    def pytest_runtest_logstart(self, nodeid):
        """A test begins."""
        self._note(nodeid)

    def pytest_sessionfinish(self):
        """The tests are over."""
        self._note('after the last test')


class FuzzReport:
    """Prints at the end what fuzz tests tried, and how to try the same again."""

    def __init__(self, config):
        self._config, self._tried = config, {}

    def pytest_collection_finish(self, session):
        """Know the fuzz tests."""
        self._tried = {item.nodeid: item for item in session.items
                       if item.get_closest_marker('fuzz')}

    def pytest_terminal_summary(self, terminalreporter):
        """Count mutants in what hypothesis says of each test."""
        counts = {name: sum(map(int, re.findall(
            r'(\d+) (?:passing|failing)\b', getattr(
                item, 'hypothesis_statistics', '')))) for name, item in self._tried.items()}
        if any(counts.values()):
            seed = self._config.getoption('--hypothesis-seed') or 'of its own each'
            terminalreporter.section('fuzzing')
            for name, count in counts.items():
                terminalreporter.write_line(f'{count:7d} {name}')
            terminalreporter.write_line(
                f'{sum(counts.values()):7d} mutants, seed {seed} (--hypothesis-seed)')


def pytest_configure(config):
    """Set up, where there is a file for the report of a crash."""
    config.addinivalue_line('markers', 'fuzz: tries hostile inputs, more of them if thorough')
    config.pluginmanager.register(FuzzReport(config))
    file = os.environ.pop('CRASH_REPORT', None)     # not for the processes that tests start
    if file:
        config.pluginmanager.register(CrashReport(file))
