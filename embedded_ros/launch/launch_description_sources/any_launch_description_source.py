"""Launch file in any language."""
from ..launch_description_source import LaunchDescriptionSource
from ..some_substitutions_type import SomeSubstitutionsType
from .any_launch_file_utilities import get_launch_description_from_any_launch_file


class AnyLaunchDescriptionSource(LaunchDescriptionSource):
    """A launch file whose language follows from its name or content."""

    def __init__(self, launch_file_path: SomeSubstitutionsType) -> None:
        super().__init__(None, launch_file_path, 'interpreted launch file')

    def _get_launch_description(self, location):
        return get_launch_description_from_any_launch_file(location)
