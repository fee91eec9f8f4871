"""Where a launch description comes from."""

from .launch_context import LaunchContext
from .launch_description import LaunchDescription
from .substitution import SomeSubstitutionsType
from .utilities import normalize_to_list_of_substitutions, perform_substitutions


class LaunchDescriptionSource:
    """A launch description, or the place it is loaded from when it is needed."""

    def __init__(self, launch_description: LaunchDescription | None = None,
                 location: SomeSubstitutionsType = '',
                 method: str = 'unspecified mechanism from a script') -> None:
        self.__launch_description = launch_description
        self.__location = normalize_to_list_of_substitutions(location)
        self.__expanded_location: str | None = None

    @property
    def location(self) -> str:
        """The location, or the description of its substitutions as long as it is not known."""
        if self.__expanded_location is not None:
            return self.__expanded_location
        return ' + '.join(str(part.describe()) for part in self.__location)

    def get_launch_description(self, context: LaunchContext) -> LaunchDescription:
        """Load if that was not done yet; return the description."""
        if self.__expanded_location is None:
            self.__expanded_location = perform_substitutions(context, self.__location)
        if self.__launch_description is None:
            self.__launch_description = self._get_launch_description(self.__expanded_location)
        return self.__launch_description

    def try_get_launch_description_without_context(self) -> LaunchDescription | None:
        """Return the description if its location holds no substitution of the context, or None."""
        if self.__launch_description is None:
            try:
                location = perform_substitutions(LaunchContext(), self.__location)
            except Exception:
                return None         # the location depends on what only the running launch knows
            self.__expanded_location = location
            self.__launch_description = self._get_launch_description(location)
        return self.__launch_description

    def _get_launch_description(self, location: str) -> LaunchDescription:
        """Load the description; subclasses which have a location override this."""
        raise NotImplementedError('LaunchDescriptionSource was given no launch description')
