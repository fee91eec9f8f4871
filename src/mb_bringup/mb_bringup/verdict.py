"""Command `verdict`: judge the report of a run by its exit code."""

import argparse
from pathlib import Path
import sys

from mb_bringup.accuracy.report_file import read_report
from mb_bringup.accuracy.verdict import objections


def main(arguments=None):
    """Exit with 0 if the observer beat the model and nothing was lost, 1 if not, 2 if unknown."""
    parser = argparse.ArgumentParser(
        prog='verdict', description='Exit with 0 only if the observer of a run beat the '
        'uncorrected model and no message was lost; 1 if not; 2 if there is no report.')
    parser.add_argument('folder', nargs='?', type=Path, default=Path('results/latest'),
                        help='results folder of the run (default: %(default)s)')
    folder = parser.parse_args(arguments).folder
    try:
        found = objections(read_report(folder))
    except ValueError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    except (KeyError, TypeError) as error:
        print(f'{folder / "report.json"}: not a report of a run ({error!r})', file=sys.stderr)
        sys.exit(2)
    for objection in found:
        print(objection, file=sys.stderr)
    sys.exit(1 if found else 0)


if __name__ == '__main__':
    main()
