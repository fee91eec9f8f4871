"""Results of test runs."""
import time
import unittest


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
