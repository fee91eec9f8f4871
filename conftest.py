"""What all tests share: which are in `make test`, how workers share them, reports, damaged bags.

CRASH_REPORT names the file of what test/crash_report.py prints of a crash of pytest.
"""

import faulthandler
from functools import cache
from glob import escape, glob
import os
import re

from hypothesis import HealthCheck, settings
import pytest

from mb_ros.own_domain import own_domain

# Of what is imported and collected; inherited is that of all workers, or of all.
os.environ['ROS_DOMAIN_ID'] = str(own_domain())
DOMAINS = 8         # of a worker: files of tests take turns, four workers have room for them

# Files of tests that start many processes each.
LAUNCHES = re.compile(r"generate_test_description|\blaunched\(|'ros2', 'launch'")

# Fuzz tests (marker `fuzz`) take their number of examples from the profile: `make test-thorough`.
settings.register_profile('thorough', max_examples=1000, deadline=None, print_blob=True,
                          suppress_health_check=list(HealthCheck))
settings.register_profile('quick', max_examples=10, deadline=None, derandomize=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Give the marker `whole` to what `make test` leaves out, beside the tests that have it.

    These are launches, and all cases of parametrised tests but the first and the last, which are
    often of the plane and of space; the marker `core` keeps a test in `make test` all the same.
    """
    tests = {}
    for item in items:
        tests.setdefault(item.nodeid.partition('[')[0], []).append(item)
    for cases in tests.values():
        for k, item in enumerate(cases):
            left_out = 0 < k < len(cases) - 1 or launches(item.path)
            if left_out and not item.get_closest_marker('core'):
                item.add_marker('whole')


@cache
def launches(path):
    """Return whether a file of tests starts many processes each."""
    return LAUNCHES.search(path.read_text(encoding='utf-8')) is not None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item):
    """Put each file of tests, and what it starts, in another DDS domain than the one before it."""
    number = _files.setdefault(item.path, len(_files)) % DOMAINS
    os.environ['ROS_DOMAIN_ID'] = str(own_domain(number))


_files = {}         # of tests: its number, in the order in which they run


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


@pytest.fixture
def said(caplog, capfd):
    """Return a function: all that was logged or printed so far.

    Beside ROS 2's launch, which has loggers of its own, the log is on stderr and not in caplog.
    """
    printed = []

    def text():
        printed.extend(capfd.readouterr())
        return caplog.text + ''.join(printed)
    return text


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Distribute whole files, whose tests share fixtures and ports; launches run one at a time."""
    from xdist.scheduler import LoadScopeScheduling

    class WholeFiles(LoadScopeScheduling):

        def _split_scope(self, nodeid):
            file = nodeid.partition('::')[0]
            return 'launches' if launches(config.rootpath / file) else file

        def remove_node(self, node):
            """Note a test that crashes as done: it would crash all workers, one by one."""
            units = self.assigned_work[node].values()
            crashed = next((name for unit in units for name, done in unit.items() if not done),
                           None)
            for unit in units:
                unit.update({crashed: True} if crashed in unit else {})
            super().remove_node(node)
            return crashed

    return WholeFiles(config, log)


class CrashReport:
    """Notes which test runs, and lets a crash write after it where all threads were."""

    def __init__(self, file):
        self._name = file
        self._file = open(file, 'w', buffering=1, encoding='utf-8')     # noqa: SIM115

    def _note(self, place):
        self._file.seek(0)
        self._file.truncate()
        print(place, file=self._file)

    @classmethod
    def anew(cls, file):
        """Begin one, without what workers left in an earlier run."""
        for old in glob(f'{escape(file)}.gw*'):
            os.remove(old)
        return cls(file)

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

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node):
        """A worker of pytest-xdist begins: its report is beside this one."""
        node.workerinput['crash_report'] = f'{self._name}.{node.gateway.id}'


class FuzzReport:
    """Prints at the end what fuzz tests tried, and how to try the same again."""

    def __init__(self, config):
        self._config, self._counts = config, {}

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item):
        """Count mutants in what hypothesis says of a test; workers send reports, not items."""
        report = (yield).get_result()
        if report.when == 'teardown' and item.get_closest_marker('fuzz'):
            report.user_properties.append(('mutants', sum(map(int, re.findall(
                r'(\d+) (?:passing|failing)\b', getattr(item, 'hypothesis_statistics', ''))))))

    def pytest_runtest_logreport(self, report):
        """Collect the counts, from all workers."""
        if report.when == 'teardown':
            counts = [count for name, count in report.user_properties if name == 'mutants']
            if counts:
                self._counts[report.nodeid] = sum(counts)

    def pytest_terminal_summary(self, terminalreporter):
        """Say how many each test has tried."""
        if any(self._counts.values()):
            seed = self._config.getoption('--hypothesis-seed') or 'of its own each'
            terminalreporter.section('fuzzing')
            for name, count in self._counts.items():
                terminalreporter.write_line(f'{count:7d} {name}')
            terminalreporter.write_line(
                f'{sum(self._counts.values()):7d} mutants, seed {seed} (--hypothesis-seed)')


def pytest_configure(config):
    """Set up, where there is a file for the report of a crash."""
    config.addinivalue_line('markers', 'fuzz: tries hostile inputs, more of them if thorough')
    config.addinivalue_line('markers', 'whole: of `make test-all`, left out by `make test`')
    config.addinivalue_line('markers', 'core: of `make test`, though it launches or has many cases')
    config.pluginmanager.register(FuzzReport(config))
    file = os.environ.pop('CRASH_REPORT', None)     # not for the processes that tests start
    of_worker = getattr(config, 'workerinput', {}).get('crash_report')
    if of_worker:
        config.pluginmanager.register(CrashReport(of_worker))
    elif file:
        config.pluginmanager.register(CrashReport.anew(file))
