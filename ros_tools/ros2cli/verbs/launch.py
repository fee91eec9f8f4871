"""Run a launch file."""
import os
import sys


def add_arguments(parser):
    parser.add_argument('-n', '--noninteractive', default=not sys.stdin.isatty(),
                        action='store_true',
                        help='Run the launch system non-interactively, with no terminal associated')
    parser.add_argument('-d', '--debug', action='store_true',
                        help='Put the launch system in debug mode, provides more verbose output.')
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument('-p', '--print', '--print-description', dest='print_description',
                       action='store_true',
                       help='Print the launch description to the console without launching it.')
    shown.add_argument('-s', '--show-args', '--show-arguments', dest='show_arguments',
                       action='store_true',
                       help='Show arguments that may be given to the launch file.')
    parser.add_argument('-a', '--show-all-subprocesses-output', action='store_true',
                        help="Show all launched subprocesses' output by overriding their output "
                             'configuration using the OVERRIDE_LAUNCH_PROCESS_OUTPUT envvar.')
    parser.add_argument('package_name', help='Name of the ROS package which contains the launch '
                        'file, or path of a launch file')
    parser.add_argument('launch_file_name', nargs='?', help='Name of the launch file')
    parser.add_argument('launch_arguments', nargs='*', default=[],
                        help="Arguments to the launch file; '<name>:=<value>' (for duplicates, "
                             'last one wins)')


def launch_file(args):
    """Return (path, arguments); a RuntimeError in words if there is no such file."""
    from ament_index_python import PackageNotFoundError
    from ros2launch.api import MultipleLaunchFilesError, get_share_file_path_from_package
    if os.path.isfile(args.package_name):
        first = [args.launch_file_name] if args.launch_file_name is not None else []
        return args.package_name, [*first, *args.launch_arguments]
    if args.launch_file_name is None or ':=' in args.launch_file_name:
        raise RuntimeError(f"'{args.package_name}' is no launch file; if it is a package, the name "
                           'of a launch file must follow it')
    try:
        path = get_share_file_path_from_package(
            package_name=args.package_name, file_name=args.launch_file_name)
    except (PackageNotFoundError, FileNotFoundError, MultipleLaunchFilesError,
            ValueError) as error:
        raise RuntimeError(error.args[0] if len(error.args) == 1 else str(error)) from error
    return path, args.launch_arguments


def main(args):
    # Imported here: `ros2 --help` and the other commands do without launch.
    from launch import InvalidLaunchFileError
    from launch.launch_description_sources import get_launch_description_from_any_launch_file
    from ros2launch import api
    if args.show_all_subprocesses_output:
        os.environ['OVERRIDE_LAUNCH_PROCESS_OUTPUT'] = 'both'
    path, arguments = launch_file(args)
    try:
        if args.print_description:
            api.print_a_launch_file(launch_file_path=path)
        elif args.show_arguments:
            api.print_arguments(get_launch_description_from_any_launch_file(path))
        else:
            return api.launch_a_launch_file(
                launch_file_path=path, launch_file_arguments=arguments,
                noninteractive=args.noninteractive, debug=args.debug)
    except InvalidLaunchFileError as error:
        return str(error)
    return 0
