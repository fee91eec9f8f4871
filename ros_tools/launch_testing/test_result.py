"""Results of tests, and as XML in the form of JUnit."""
import time
import unittest
import xml.etree.ElementTree as ElementTree


class TestResult(unittest.TextTestResult):
    """A result that knows all tests and their times."""

    __test__ = False        # no test class for pytest

    def __init__(self, stream=None, descriptions=None, verbosity=None, **kwargs):
        super().__init__(stream, descriptions, verbosity, **kwargs)
        self.__start_times = {}
        self.__durations = {}

    @property
    def testCases(self):
        """The tests, in the order they ran."""
        return list(self.__start_times)

    @property
    def testTimes(self):
        """How long each test has taken, {test: seconds}."""
        return {test: self.__durations.get(test, 0.0) for test in self.__start_times}

    def startTest(self, test):
        self.__start_times[test] = time.monotonic()
        super().startTest(test)

    def stopTest(self, test):
        super().stopTest(test)
        self.__durations[test] = time.monotonic() - self.__start_times[test]

    def append(self, results):
        """Add the outcomes of another result."""
        for kind in ('failures', 'errors', 'skipped', 'expectedFailures', 'unexpectedSuccesses'):
            getattr(self, kind).extend(getattr(results, kind))
        self.testsRun += results.testsRun
        self.__start_times.update(results.__start_times)
        self.__durations.update(results.__durations)


class WholeRunResult(unittest.TestResult):
    """The result of a run in which no test ran: all of its tests have the same outcome."""

    def __init__(self, test_run):
        super().__init__()
        self.testCases = list(test_run.all_cases()) or [Launch('launch')]
        self.testTimes = dict.fromkeys(self.testCases, 0.0)
        self.testsRun = len(self.testCases)


class Launch(unittest.TestCase):
    """Stands for the tests of a run that has none."""

    __test__ = False        # no test class for pytest

    def launch(self):
        """Do nothing."""


class FailResult(WholeRunResult):
    """A run that failed as a whole."""

    def __init__(self, test_run, message):
        super().__init__(test_run)
        self.message = message
        self.failures = [(test, message) for test in self.testCases]


class SkipResult(WholeRunResult):
    """A run that was skipped as a whole."""

    def __init__(self, test_run, skip_reason):
        super().__init__(test_run)
        self.skip_reason = skip_reason
        self.skipped = [(test, skip_reason) for test in self.testCases]


def unittestResultsToXml(*, name='launch_test', test_results):
    """Return an ElementTree of test results, {name of a run: result}."""
    root = ElementTree.Element('testsuites', {'name': name})
    root.extend(unittestResultToXml(str(run_name), result)
                for run_name, result in test_results.items())
    for count in ('tests', 'failures', 'errors'):
        root.set(count, str(sum(int(suite.get(count)) for suite in root)))
    root.set('time', f'{sum(float(suite.get("time")) for suite in root):.3f}')
    return ElementTree.ElementTree(root)


def unittestResultToXml(name, test_result):
    """Return the element testsuite of one result."""
    suite = ElementTree.Element('testsuite', {
        'name': name, 'tests': str(test_result.testsRun),
        'failures': str(len(test_result.failures)), 'errors': str(len(test_result.errors)),
        'skipped': str(len(test_result.skipped)),
        'time': f'{sum(test_result.testTimes.values()):.3f}'})
    reported = [test for kind in ('failures', 'errors', 'skipped')
                for test, _ in getattr(test_result, kind)]
    besides = [test for test in reported if test not in test_result.testCases]
    for test in dict.fromkeys([*test_result.testCases, *besides]):      # a failed setUpClass, ...
        suite.append(unittestCaseToXml(test_result, test))
    return suite


def unittestCaseToXml(test_result, test_case):
    """Return the element testcase of one test."""
    kind = type(test_case)
    case = ElementTree.Element('testcase', {
        'classname': f'{kind.__module__}.{kind.__name__}',
        'name': getattr(test_case, '_testMethodName', str(test_case)),
        'time': f'{test_result.testTimes.get(test_case, 0.0):.3f}'})
    for tag, outcomes in (('failure', test_result.failures), ('error', test_result.errors),
                          ('skipped', test_result.skipped)):
        for test, text in outcomes:
            if test is test_case:
                ElementTree.SubElement(case, tag, {'message': text}).text = text
    return case
