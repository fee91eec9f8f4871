"""Load launch files in any language."""
import os

from ..frontend import Parser
from ..invalid_launch_file_error import InvalidLaunchFileError
from .frontend_launch_file_utilities import get_launch_description_from_frontend_launch_file
from .python_launch_file_utilities import get_launch_description_from_python_launch_file


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
