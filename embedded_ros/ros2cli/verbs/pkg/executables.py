"""Output a list of package specific executables."""
import os

from ament_index_python import PackageNotFoundError, get_packages_with_prefixes

from ros2cli.executables import get_executable_paths


def add_arguments(parser):
    parser.add_argument('package_name', nargs='?', help='The package name')
    parser.add_argument(
        '--full-path', action='store_true', help='Show the full path of each executable'
    )


def main(args):
    packages = [args.package_name] if args.package_name else sorted(get_packages_with_prefixes())
    for package in packages:
        try:
            paths = get_executable_paths(package)
        except PackageNotFoundError:
            return f"Package '{package}' not found"
        for path in paths:
            print(path if args.full_path else f'{package} {os.path.basename(path)}')
