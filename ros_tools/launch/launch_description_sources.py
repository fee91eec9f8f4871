"""Where launch descriptions come from: launch files."""
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
import os

from .frontend import Parser
from .invalid_launch_file_error import PYTHON_LAUNCH_FILE, InvalidLaunchFileError
from .launch_context import LaunchContext
from .launch_description import LaunchDescription
from .launch_description_entity import SomeSubstitutionsType
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


class InvalidPythonLaunchFileError(InvalidLaunchFileError):
    """A Python file that is no launch file."""

    def __str__(self):
        return self._extension


def load_python_launch_file_as_module(python_launch_file_path: str):
    """Return the file as a module, which is not entered into sys.modules."""
    loader = SourceFileLoader(PYTHON_LAUNCH_FILE, python_launch_file_path)
    module = module_from_spec(spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def get_launch_description_from_python_launch_file(python_launch_file_path: str):
    """Return what generate_launch_description() of a file returns."""
    module = load_python_launch_file_as_module(python_launch_file_path)
    if not hasattr(module, 'generate_launch_description'):
        raise InvalidPythonLaunchFileError(
            f"launch file at '{python_launch_file_path}' does not contain the required function "
            "'generate_launch_description()'")
    return module.generate_launch_description()


def get_launch_description_from_frontend_launch_file(
        frontend_launch_file_path: str, *, parser: type[Parser] = Parser):
    """Return the launch description of an XML, YAML, ... file."""
    root_entity, its_parser = parser.load(frontend_launch_file_path)
    return its_parser.parse_description(root_entity)


def get_launch_description_from_any_launch_file(launch_file_path: str, *,
                                                parser: type[Parser] = Parser):
    """Return the launch description of a file; an InvalidLaunchFileError if it is none."""
    def from_frontend(path):
        return get_launch_description_from_frontend_launch_file(path, parser=parser)

    extension = os.path.splitext(launch_file_path)[1][1:]
    loaders = [from_frontend, get_launch_description_from_python_launch_file]
    if extension == 'py':
        loaders = [get_launch_description_from_python_launch_file]
    elif parser.is_filename_valid(launch_file_path):
        loaders = [from_frontend]
    errors = []
    for loader in loaders:
        try:
            return loader(launch_file_path)
        except Exception as error:
            # A frontend reports what went wrong inside by its own error of this kind.
            errors.extend(getattr(error, '_likely_errors', None) or [error])
    raise InvalidLaunchFileError(
        extension, likely_errors=errors, launch_file_path=launch_file_path)


class PythonLaunchDescriptionSource(LaunchDescriptionSource):
    """A Python file with a function generate_launch_description()."""

    def __init__(self, launch_file_path: SomeSubstitutionsType) -> None:
        super().__init__(None, launch_file_path, 'interpreted python launch file')

    def _get_launch_description(self, location):
        return get_launch_description_from_python_launch_file(location)


class AnyLaunchDescriptionSource(LaunchDescriptionSource):
    """A launch file whose language follows from its name or content."""

    def __init__(self, launch_file_path: SomeSubstitutionsType) -> None:
        super().__init__(None, launch_file_path, 'interpreted launch file')

    def _get_launch_description(self, location):
        return get_launch_description_from_any_launch_file(location)
