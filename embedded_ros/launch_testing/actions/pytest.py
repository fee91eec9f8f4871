"""A file of pytest tests as a test."""
import sys

from launch.frontend import expose_action

from .test import Test, parse_path


@expose_action('pytest')
class PyTest(Test):
    """Runs pytest on a file."""

    def __init__(self, *, path, **kwargs):
        super().__init__(cmd=[sys.executable, '-m', 'pytest', path], **kwargs)
        self.__path = path

    @classmethod
    def parse(cls, entity, parser):
        return parse_path(cls, entity, parser)

    @property
    def path(self):
        return self.__path
