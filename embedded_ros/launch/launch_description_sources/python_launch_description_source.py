"""Launch file in Python."""
from ..launch_description_source import LaunchDescriptionSource
from ..some_substitutions_type import SomeSubstitutionsType
from .python_launch_file_utilities import get_launch_description_from_python_launch_file


class PythonLaunchDescriptionSource(LaunchDescriptionSource):
    """A Python file with a function generate_launch_description()."""

    def __init__(self, launch_file_path: SomeSubstitutionsType) -> None:
        super().__init__(None, launch_file_path, 'interpreted python launch file')

    def _get_launch_description(self, location):
        return get_launch_description_from_python_launch_file(location)
