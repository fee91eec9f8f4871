"""Parts of the page of a run for the browser."""

from mb_evaluation.pages.page import table
from mb_evaluation.reports.markdown import COMPLAINED, complaint_rows


def complaint_parts(report):
    """Return the complaints of nodes, as parts of HTML; none without any."""
    rows = complaint_rows(report)
    if not rows:
        return []
    spans = [(one['from'], report['duration'] if one['to'] is None else one['to'])
             for one in report['complaints']]
    return [table(COMPLAINED, rows, 'What the nodes complained of', spans, words=True)]
