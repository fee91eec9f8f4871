"""A GTest program as a test."""
from launch.frontend import expose_action

from .test import Test, parse_path


@expose_action('gtest')
class GTest(Test):
    """Runs a GTest program."""

    def __init__(self, *, path, **kwargs):
        super().__init__(cmd=[path], **kwargs)
        self.__path = path

    @classmethod
    def parse(cls, entity, parser):
        return parse_path(cls, entity, parser)

    @property
    def path(self):
        return self.__path
