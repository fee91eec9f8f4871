"""A GTest program as a test."""
from launch.frontend import expose_action

from .test import Test


@expose_action('gtest')
class GTest(Test):
    """Runs a GTest program."""

    def __init__(self, *, path, timeout=None, **kwargs):
        super().__init__(cmd=[path], timeout=timeout, **kwargs)
        self.__path = path

    @property
    def path(self):
        return self.__path
