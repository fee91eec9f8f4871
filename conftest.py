"""Keep, in the file that CRASH_REPORT names, what test/tell_crash.py tells of a crash of pytest."""

import faulthandler
import os


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


def pytest_configure(config):
    """Set up, where there is a file for it."""
    file = os.environ.pop('CRASH_REPORT', None)     # not for the processes that tests start
    if file:
        config.pluginmanager.register(CrashReport(file))
