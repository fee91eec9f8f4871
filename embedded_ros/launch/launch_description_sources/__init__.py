"""Sources of launch descriptions: launch files."""
from .any_launch_description_source import AnyLaunchDescriptionSource
from .any_launch_file_utilities import get_launch_description_from_any_launch_file
from .frontend_launch_description_source import FrontendLaunchDescriptionSource
from .frontend_launch_file_utilities import (
    InvalidFrontendLaunchFileError,
    get_launch_description_from_frontend_launch_file,
)
from .python_launch_description_source import PythonLaunchDescriptionSource
from .python_launch_file_utilities import (
    InvalidPythonLaunchFileError,
    get_launch_description_from_python_launch_file,
    load_python_launch_file_as_module,
)

__all__ = [
    'AnyLaunchDescriptionSource', 'FrontendLaunchDescriptionSource',
    'InvalidFrontendLaunchFileError', 'InvalidPythonLaunchFileError',
    'PythonLaunchDescriptionSource', 'get_launch_description_from_any_launch_file',
    'get_launch_description_from_frontend_launch_file',
    'get_launch_description_from_python_launch_file', 'load_python_launch_file_as_module',
]
