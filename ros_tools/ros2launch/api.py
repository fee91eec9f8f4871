"""Find, show and run launch files."""
import os

from ament_index_python.packages import PackageNotFoundError, get_package_share_directory
import launch
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import (
    AnyLaunchDescriptionSource,
    get_launch_description_from_any_launch_file,
)


class MultipleLaunchFilesError(Exception):
    """A package has several files of the same name."""

    def __init__(self, msg, file_paths):
        super().__init__(msg)
        self.paths = file_paths


def get_share_file_path_from_package(*, package_name, file_name):
    """Return the path of a file anywhere below the package's share directory."""
    try:
        share = get_package_share_directory(package_name)
    except PackageNotFoundError as error:
        raise PackageNotFoundError(
            f"Package '{package_name}' not found: {error.args[0]}") from error
    found = [os.path.join(folder, file_name)
             for folder, _, files in os.walk(share, followlinks=True) if file_name in files]
    if not found:
        raise FileNotFoundError(f"file '{file_name}' was not found in the share directory of "
                                f"package '{package_name}' which is at '{share}'")
    if len(found) > 1:
        raise MultipleLaunchFilesError(
            f"file '{file_name}' was found more than once inside the share directory of package "
            f"'{package_name}': {found}", found)
    return found[0]


def parse_launch_arguments(launch_arguments):
    """Return (name, value) pairs of arguments `name:=value`, the last of each name."""
    pairs = {}
    for argument in launch_arguments:
        name, found, value = argument.partition(':=')
        if not found or not name:
            raise RuntimeError(f"malformed launch argument '{argument}', "
                               "expected format '<name>:=<value>'")
        pairs[name] = value
    return list(pairs.items())


def print_a_launch_file(*, launch_file_path):
    """Print the tree of a launch description."""
    description = get_launch_description_from_any_launch_file(launch_file_path)
    print('\n'.join(tree(description)))


def branch(lines: list[str], last: bool) -> list[str]:
    """Hang a block of lines below its parent."""
    first, rest = ('└── ', '    ') if last else ('├── ', '│   ')
    return [(rest if number else first) + line for number, line in enumerate(lines)]


def tree(entity: launch.LaunchDescriptionEntity) -> list[str]:
    """Return the lines of an entity and of all below it."""
    children = [tree(child) for child in entity.describe_sub_entities()]
    for text, entities in entity.describe_conditional_sub_entities():
        below = [tree(child) for child in entities]
        children.append([f'/ {text}', *hang(below)])
    condition = getattr(entity, 'condition', None)
    head = entity.describe() + (f' [{condition.describe()}]' if condition is not None else '')
    return head.splitlines() + hang(children)


def hang(blocks: list[list[str]]) -> list[str]:
    """Hang several blocks below one parent."""
    return [line for number, block in enumerate(blocks)
            for line in branch(block, number == len(blocks) - 1)]


def print_arguments(description):
    """Print name, text and default of each launch argument, includes included."""
    print("Arguments (pass arguments as '<name>:=<value>'):")
    arguments = description.get_launch_arguments()
    if not arguments:
        print('\n  No arguments.')
    for argument in arguments:
        only_if = ' (only in some cases)' if argument._conditionally_included else ''
        print(f"\n    '{argument.name}':{only_if}\n        {argument.description}")
        if argument.default_value is not None:
            default = ' + '.join(part.describe() for part in argument.default_value)
            print(f'        (default: {default})')


def launch_a_launch_file(*, launch_file_path, launch_file_arguments, noninteractive=False,
                         debug=False):
    """Run a launch file to its end; return 0, or 1 if an exception ended it."""
    service = launch.LaunchService(
        argv=launch_file_arguments, noninteractive=noninteractive, debug=debug)
    actions = [IncludeLaunchDescription(
        AnyLaunchDescriptionSource(launch_file_path),
        launch_arguments=parse_launch_arguments(launch_file_arguments))]
    service.include_launch_description(launch.LaunchDescription(actions))
    return service.run()
