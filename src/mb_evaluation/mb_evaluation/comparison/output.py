"""A comparison as files: report, page and picture."""

from contextlib import ExitStack

from mb_evaluation.comparison.picture import draw_comparison
from mb_evaluation.comparison.table import page
from mb_evaluation.reports.report_file import write_report
from mb_model.file_api import whole_file

PICTURE = 'comparison.png'


def write_comparison(report, reference, compared, folder):
    """Write comparison.json, .md and .png into a folder, together; see make_report.

    Without a reference there is no picture.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as files:
        figures, text = (files.enter_context(whole_file(folder / f'comparison.{suffix}'))
                         for suffix in ('json', 'md'))
        write_report(report, figures)
        text.write_text(page(report), encoding='utf-8')
        if reference is None:
            (folder / PICTURE).unlink(missing_ok=True)
        else:
            draw_comparison(report, reference, compared,
                            files.enter_context(whole_file(folder / PICTURE)))
