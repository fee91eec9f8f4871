"""List the devices that drivers can read, or the settings of one of them."""

from collections.abc import Iterable, Sequence
import sys

from mb_model.command_api import first_line, list_plugins, settings_table
from mb_sensors.sources import available_sources, source_class
from mb_sensors.sources.acquisition import AcquisitionSettings


def overview(names: Iterable[str]) -> list[str]:
    """Return lines of Markdown: the named sources, one a row, and what all have in common."""
    rows = [f'| `{name}` | {first_line(sys.modules[source_class(name).__module__])} '
            f'| {", ".join(source_class(name).kinds)} |' for name in names]
    return ['| source | what | kinds of sensors |', '| --- | --- | --- |', *rows, '',
            'All of them:', '', *settings_table(AcquisitionSettings, 'acquisition.')]


def source_page(name: str) -> list[str]:
    """Return lines of Markdown: a source and every setting of it and its sensors.

    Raises SensorError for an unknown source.
    """
    source = source_class(name)
    return [f'## {name}', '', first_line(sys.modules[source.__module__]), '',
            *settings_table(source.Settings, f'{name}.'), '', 'Each sensor:', '',
            *settings_table(source.SensorSettings, f'<sensor>.{name}.')]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    return list_plugins('ros2 run mb_sensors sources', __doc__, 'source', available_sources(),
                        overview, source_page, arguments)


if __name__ == '__main__':
    sys.exit(main())
