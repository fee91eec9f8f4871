"""Load launch files in other languages than Python."""

from ..frontend import InvalidFrontendLaunchFileError, Parser

__all__ = ['InvalidFrontendLaunchFileError', 'get_launch_description_from_frontend_launch_file']


def get_launch_description_from_frontend_launch_file(
        frontend_launch_file_path: str, *, parser: type[Parser] = Parser):
    """Return the launch description of an XML, YAML, ... file."""
    root_entity, its_parser = parser.load(frontend_launch_file_path)
    return its_parser.parse_description(root_entity)
