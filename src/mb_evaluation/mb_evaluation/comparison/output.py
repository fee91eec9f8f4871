"""A comparison as files: report, page and picture."""

from mb_evaluation.comparison.picture import draw_comparison
from mb_evaluation.comparison.table import page
from mb_evaluation.reports.report_file import write_report
from mb_model.file_api import whole_file


def write_comparison(report, reference, compared, folder):
    """Write comparison.json, .md and .png into a folder, together; see make_report."""
    folder.mkdir(parents=True, exist_ok=True)
    with (whole_file(folder / 'comparison.json') as figures,
          whole_file(folder / 'comparison.md') as text,
          whole_file(folder / 'comparison.png') as picture):
        write_report(report, figures)
        text.write_text(page(report), encoding='utf-8')
        draw_comparison(report, reference, compared, picture)
