"""Results of test runs."""
import time
import unittest


class TestResult(unittest.TextTestResult):
    """A result that knows times, and the parameters of the run."""

    __test__ = False        # no test class for pytest

    def __init__(self, stream, descriptions, verbosity, test_run=None):
        super().__init__(stream, descriptions, verbosity)
        self.__test_run = test_run
        self.__start_times = {}
        self.__durations = {}
        self.__tests = []

    def startTest(self, test):
        self.__tests.append(test)
        self.__start_times[test] = time.monotonic()
        super().startTest(test)

    def stopTest(self, test):
        super().stopTest(test)
        self.__durations[test] = time.monotonic() - self.__start_times[test]

    def getDescription(self, test):
        suffix = self.parameters
        if not suffix or not hasattr(test, '_testMethodName'):
            return super().getDescription(test)
        return f'{test._testMethodName}{suffix} ({test.id()}{suffix})'

    @property
    def parameters(self):
        """The parameters of the run, such as '[apple]', or ''."""
        return self.__test_run.parameters if self.__test_run is not None else ''

    @property
    def tests(self):
        return list(self.__tests)

    def duration(self, test):
        """Return how long a test has taken [s]."""
        return self.__durations.get(test, 0.0)

    def append(self, other):
        """Add the outcomes of another result."""
        self.failures += other.failures
        self.errors += other.errors
        self.skipped += other.skipped
        self.testsRun += other.testsRun
        self.__tests += other.tests
        self.__durations.update({test: other.duration(test) for test in other.tests})


class FailResult(unittest.TestResult):
    """A run that failed as a whole."""

    def __init__(self, test_run=None, message=''):
        super().__init__()
        self.parameters = test_run.parameters if test_run is not None else ''
        self.tests = []
        self.message = message

    def wasSuccessful(self):
        return False


class SkipResult(unittest.TestResult):
    """A run that was skipped as a whole."""

    def __init__(self, test_run=None, msg=''):
        super().__init__()
        self.parameters = test_run.parameters if test_run is not None else ''
        self.tests = []
        self.skip_reason = msg

    def wasSuccessful(self):
        return True
