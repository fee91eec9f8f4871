"""Find, show and run launch files."""
from ros2launch.api.api import (
    MultipleLaunchFilesError,
    get_share_file_path_from_package,
    launch_a_launch_file,
    parse_launch_arguments,
    print_a_launch_file,
    print_arguments_of_launch_file,
)

__all__ = [
    'MultipleLaunchFilesError', 'get_share_file_path_from_package', 'launch_a_launch_file',
    'parse_launch_arguments', 'print_a_launch_file', 'print_arguments_of_launch_file',
]
