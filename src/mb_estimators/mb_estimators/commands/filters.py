"""List the installed filters, or the settings of one of them."""

from collections.abc import Iterable, Sequence

from mb_estimators.filter import FilterError
from mb_estimators.plugins import available_filters, filter_class
from mb_model.command_api import first_line, list_plugins, settings_table


def overview(names: Iterable[str]) -> list[str]:
    """Return lines of Markdown: the named filters, one a row."""
    return ['| filter | what |', '| --- | --- |'] + [
        f'| `{name}` | {_what(name)} |' for name in names]


def filter_page(name: str) -> list[str]:
    """Return lines of Markdown: a filter and every setting of it.

    Raises FilterError for an unknown filter.
    """
    settings = filter_class(name).Settings
    return [f'## {name}', '', first_line(settings), '', *settings_table(settings)]


def _what(name: str) -> str:
    """Return a filter's line about itself, or why it cannot be loaded."""
    try:
        return first_line(filter_class(name).Settings)
    except FilterError as error:
        return str(error)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    return list_plugins('ros2 run mb_estimators filters', __doc__, 'filter', available_filters(),
                        overview, filter_page, arguments)
