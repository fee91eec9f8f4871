"""A comparison as files: report, page and picture."""

from mb_bringup.accuracy.report_file import write_report
from mb_bringup.comparison.picture import draw_comparison
from mb_bringup.comparison.table import page


def write_comparison(report, reference, compared, folder):
    """Write comparison.json, .md and .png into a folder; see make_report."""
    folder.mkdir(parents=True, exist_ok=True)
    write_report(report, folder / 'comparison.json')
    (folder / 'comparison.md').write_text(page(report), encoding='utf-8')
    draw_comparison(report, reference, compared, folder / 'comparison.png')
