"""Output a list of packages that provide interfaces."""
from ros2cli.verbs.interface.kinds import HEADINGS, add_kind_options, interfaces_by_kind


def add_arguments(parser):
    add_kind_options(parser, 'packages that provide {}')


def main(args):
    found = interfaces_by_kind()
    kinds = [args.kind] if args.kind else HEADINGS
    for package in sorted({name.split('/')[0] for kind in kinds for name in found[kind]}):
        print(package)
