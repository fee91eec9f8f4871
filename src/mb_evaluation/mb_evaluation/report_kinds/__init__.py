"""Kinds of reports, one file each: NAME_report.py defines a ReportKind of this name as REPORT."""

from importlib import import_module
from pkgutil import iter_modules

from mb_evaluation.reports.report import ReportKind

_FILE = '_report'       # end of the names of files with a kind


def kind_named(name: str) -> ReportKind:
    """Return the kind of reports of a name.  Raises KeyError if there is none."""
    if name + _FILE not in {module.name for module in iter_modules(__path__)}:
        raise KeyError(name)
    return import_module(f'{__name__}.{name}{_FILE}').REPORT
