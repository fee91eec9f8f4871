"""Launch file in another language than Python."""

from ..frontend import Parser
from ..launch_description_source import LaunchDescriptionSource
from ..some_substitutions_type import SomeSubstitutionsType
from .frontend_launch_file_utilities import get_launch_description_from_frontend_launch_file


class FrontendLaunchDescriptionSource(LaunchDescriptionSource):
    """A launch file which a parser of launch.frontend reads."""

    def __init__(self, launch_file_path: SomeSubstitutionsType, *,
                 method: str = 'interpreted frontend launch file',
                 parser: type[Parser] = Parser) -> None:
        super().__init__(None, launch_file_path, method)
        self.__parser = parser

    def _get_launch_description(self, location):
        return get_launch_description_from_frontend_launch_file(location, parser=self.__parser)
