"""List all interface types available."""
from ros2cli.verbs.interface.kinds import HEADINGS, add_kind_options, interfaces_by_kind


def add_arguments(parser):
    add_kind_options(parser, '{}')


def main(args):
    found = interfaces_by_kind()
    for kind, heading in HEADINGS.items():
        if args.kind in (None, kind):
            print(f'{heading}:')
            for name in found[kind]:
                print(f'    {name}')
