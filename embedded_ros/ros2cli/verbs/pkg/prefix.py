"""Output the prefix path of a package."""
import os

from ament_index_python import PackageNotFoundError, get_package_prefix


def add_arguments(parser):
    parser.add_argument('package_name', help='The package name')
    parser.add_argument('--share', action='store_true', help='Show share directory for the package')


def main(args):
    try:
        prefix = get_package_prefix(args.package_name)
    except (PackageNotFoundError, ValueError):
        return 'Package not found'
    print(os.path.join(prefix, 'share', args.package_name) if args.share else prefix)
