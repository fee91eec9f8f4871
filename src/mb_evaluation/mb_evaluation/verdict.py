"""Command `verdict`: judge the report of a run by its exit code."""

import argparse
from collections.abc import Sequence
from pathlib import Path
import sys

from mb_evaluation.report_kinds import kind_named
from mb_evaluation.reports.report_file import read_report


def objections(folder: Path) -> Sequence[str]:
    """Return objections to the run of a results folder, in words; empty if it passed.

    Raises ValueError if there is no report of a run, or one that judges nothing.
    """
    report = read_report(folder)
    try:
        kind = kind_named(report['kind'])
        texts, unjudged = kind.objections(report), kind.unjudged(report)
    except (KeyError, TypeError) as error:
        raise ValueError(f'{folder / "report.json"}: not a report of a run ({error!r})') from error
    if unjudged and not texts:
        raise ValueError(f'not judged: {unjudged}')
    return texts


def main(arguments: Sequence[str] | None = None) -> None:
    """Exit with 0 if a run passed and nothing was lost, 1 if not, 2 if unknown."""
    parser = argparse.ArgumentParser(
        prog='verdict', description='Exit with 0 only if the observer of a run beat the '
        'uncorrected model, the mass of its payload is right, '
        'what it weighed is within bounds, every contact was '
        'detected, what a recording has the truth of was found better than by a constant, '
        'or, without a truth, readings fit what the filter claims, and no message was lost; '
        '1 if not; 2 if there is no report, or nothing to judge by.')
    parser.add_argument('folder', nargs='?', type=Path, default=Path('results/latest'),
                        help='results folder of the run (default: %(default)s)')
    folder = parser.parse_args(arguments).folder
    try:
        texts = objections(folder)
    except ValueError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    for objection in texts:
        print(objection, file=sys.stderr)
    sys.exit(1 if texts else 0)


if __name__ == '__main__':
    main()
