"""Various package related sub-commands."""
import os
from pathlib import Path
from xml.etree import ElementTree

from ament_index_python import (
    PackageNotFoundError,
    get_package_prefix,
    get_package_share_directory,
    get_packages_with_prefixes,
)

VERBS = {
    'executables': 'Output a list of package specific executables',
    'list': 'Output a list of available packages',
    'prefix': 'Output the prefix path of a package',
    'xml': 'Output the XML of the package manifest or a specific tag',
}


def get_executable_paths(package):
    """Sorted paths of a package's executables.  Raises PackageNotFoundError."""
    folder = Path(get_package_prefix(package)) / 'lib' / package
    return sorted(str(path) for path in folder.rglob('*')
                  if path.is_file() and os.access(path, os.X_OK))


def get_executable_path(package, name):
    """Path of the executable of this name, or None."""
    paths = [path for path in get_executable_paths(package) if os.path.basename(path) == name]
    if len(paths) > 1:
        raise RuntimeError(f"Multiple executables named '{name}' found:\n" + '\n'.join(paths))
    return paths[0] if paths else None


def add_executables_arguments(parser):
    parser.add_argument('package_name', nargs='?', help='The package name')
    parser.add_argument(
        '--full-path', action='store_true', help='Show the full path of each executable'
    )


def run_executables(args):
    packages = [args.package_name] if args.package_name else sorted(get_packages_with_prefixes())
    for package in packages:
        try:
            paths = get_executable_paths(package)
        except (PackageNotFoundError, ValueError):
            return f"Package '{package}' not found"
        for path in paths:
            print(path if args.full_path else f'{package} {os.path.basename(path)}')


def add_list_arguments(parser):
    pass


def run_list(args):
    for name in sorted(get_packages_with_prefixes()):
        print(name)


def add_prefix_arguments(parser):
    parser.add_argument('package_name', help='The package name')
    parser.add_argument('--share', action='store_true', help='Show share directory for the package')


def run_prefix(args):
    try:
        prefix = get_package_prefix(args.package_name)
    except (PackageNotFoundError, ValueError):
        return 'Package not found'
    print(os.path.join(prefix, 'share', args.package_name) if args.share else prefix)


def add_xml_arguments(parser):
    parser.add_argument('package_name', help='The package name')
    parser.add_argument('-t', '--tag', help='The XML tag')


def run_xml(args):
    try:
        share = get_package_share_directory(args.package_name)
    except (PackageNotFoundError, ValueError):
        return 'Package not found'
    path = os.path.join(share, 'package.xml')
    if not os.path.exists(path):
        return f"Could not find 'package.xml' file at path '{path}'"
    root = ElementTree.parse(path).getroot()
    if not args.tag:
        print(ElementTree.tostring(root, encoding='unicode'))
        return None
    found = [element.text for element in root.iter(args.tag)]
    if not found:
        return f"Could not find tag '{args.tag}' in package '{args.package_name}'"
    for text in found:
        print(text or '')
    return None
