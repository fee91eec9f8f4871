"""A file of pytest tests as a test."""
import sys

from launch.frontend import expose_action

from .test import Test


@expose_action('pytest')
class PyTest(Test):
    """Runs pytest on a file."""

    def __init__(self, *, path, timeout=None, **kwargs):
        super().__init__(cmd=[sys.executable, '-m', 'pytest', path], timeout=timeout, **kwargs)
        self.__path = path

    @property
    def path(self):
        return self.__path
