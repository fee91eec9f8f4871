"""The report of a recording without a truth: figures, table, picture, page, CSV and Parquet."""

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from mb_evaluation.recordings.recording import log_of
from mb_evaluation.recordings.remedies import against_truth, is_tuned, remedies_of_recording
from mb_evaluation.recordings.tables import columns_of, write_tables
from mb_model.command_api import working
from mb_model.file_api import made_folder

WIDTH = 142                 # of the table where there is no terminal
REPORT, ESTIMATES, INNOVATIONS = 'report', 'estimates', 'innovations'   # files, without endings


def folder_of(bag: Path) -> Path:
    """Return where a report of a bag goes: beside one that is called bag, as runs have it.

    Beside another one, which may be one of many, it has a folder of its own.
    """
    bag = bag.resolve()
    return bag.parent if bag.name == 'bag' else bag.with_name(f'{bag.stem}_report')


def report_recording(given: Namespace, folder: Path) -> Iterator[str]:
    """Yield lines of text about the report of a bag, which is written to a folder.

    given: parsed options of add_node_arguments, with `bag`.  Raises OSError, ValueError.
    """
    with working(f'estimating on {given.bag}'):
        log, parameters = log_of(given)
    # Imported now, as it takes a second.
    from mb_evaluation.report_kinds.estimate_report import (
        REPORT as KIND,
        estimate_figures,
        too_wide,
    )
    from mb_evaluation.reports.presentation import present, terminal
    from mb_evaluation.reports.report import Report
    made_folder(folder)
    log.absent += write_tables(columns_of([*log.estimates, *log.inputs.quantities()], log.origin),
                               folder / ESTIMATES)
    if readings := log.readings.quantities():
        write_tables(columns_of(readings, log.origin), folder / INNOVATIONS)
    figures = estimate_figures(log, str(given.bag))
    report = Report(KIND, figures, log)
    wide = report.has_passed and too_wide(figures) and not is_tuned(given)
    if log.has_readings and (wide or KIND.objections(figures)):
        units = {log.mechanism.unit(name) for name in log.mechanism.independent}
        figures['remedies'] = remedies_of_recording(given, parameters, figures, units,
                                                    log.has_forces)
    present(report, terminal(WIDTH), folder, REPORT)
    yield from (f'{what}: {command}' for what, command in figures['remedies'])
    if figures['has_truth'] and figures['sensors']:
        yield ('the bag has a truth, drawn beside the estimate; for errors: '
               f'{against_truth(given, log.name, figures["sensors"])}')
    yield f'results in {folder}'
