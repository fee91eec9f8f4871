"""Check ROS setup and other potential issues."""
import sys

EXAMINATIONS = ('network', 'package', 'platform', 'middleware', 'topic')


def add_arguments(parser):
    which = parser.add_mutually_exclusive_group()
    which.add_argument('-r', '--report', action='store_true', help='Print all reports.')
    which.add_argument('-rf', '--report-failed', action='store_true',
                       help='Print reports of failed checks only.')
    parser.add_argument('-iw', '--include-warnings', action='store_true',
                        help='Include warnings as failed checks. Warnings are ignored by default.')
    parser.add_argument('-ep', '--exclude-packages', action='store_true',
                        help='Exclude package checks or report. All packages are checked or '
                        'reported by default.')


def main(args):
    found = examine([name for name in EXAMINATIONS
                     if name != 'package' or not args.exclude_packages])
    if args.report:
        print_sections(found.values())
        return
    failed = [name for name, one in found.items()
              if one.errors or (args.include_warnings and one.warnings)]
    for one in found.values():
        for text in (*(f'ERROR: {error}' for error in one.errors), *one.warnings):
            print(f'UserWarning: {text}', file=sys.stderr)
    if not failed:
        print(f'\nAll {len(found)} checks passed\n')
        return
    print(f'\n{len(failed)}/{len(found)} check(s) failed')
    print('\nFailed modules:', *failed)
    if args.report_failed:
        print_sections(found[name] for name in failed)


def examine(names):
    """Return the Finding of each examination by its name."""
    from importlib import import_module

    from ros2cli.node.direct import DirectNode
    with DirectNode(None) as node:
        return {name: import_module(f'{__name__}.{name}').examine(node) for name in names}


def print_sections(findings):
    """Print all that was found."""
    for finding in findings:
        for section in finding.sections:
            print(section)
