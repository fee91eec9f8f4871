"""Output a list of available interface types within one package."""
from embedded_ros.interfaces import list_packages

from ros2cli.verbs.interface.kinds import HEADINGS, add_kind_options, interfaces_by_kind


def add_arguments(parser):
    parser.add_argument('package_name', help='Name of the ROS package (e.g. "example_interfaces")')
    add_kind_options(parser, '{}')


def main(args):
    if args.package_name not in list_packages():
        return f"Unknown package '{args.package_name}'"
    found = interfaces_by_kind(args.package_name)
    for kind in [args.kind] if args.kind else HEADINGS:
        for name in found[kind]:
            print(name)
    return None
