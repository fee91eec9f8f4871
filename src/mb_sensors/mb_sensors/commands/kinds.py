"""List the kinds of sensors of mechanism files, or the keys of one kind."""

from collections.abc import Iterable, Mapping, Sequence
import json
import sys
from typing import Any

from mb_model.command_api import list_plugins, settings_table
from mb_sensors.kind_parts.sensor_kind import SensorError, SensorKind
from mb_sensors.kinds import sensor_kinds
from mb_sensors.sensor import NoiseSettings


def overview(names: Iterable[str]) -> list[str]:
    """Return lines of Markdown: the named kinds, one a row, and the keys that all of them take."""
    rows = [f'| `{kind.name}` | {kind.measures} | {kind.unit} | {_keys(kind, 2)} '
            f'| {_keys(kind, 3)} | `{kind.driver}` | {kind.message.type_name.rpartition("/")[2]} |'
            for kind in map(sensor_kinds().__getitem__, names)]
    return ['| kind | measures | unit | keys in the plane | in space | driver '
            '| message on `<topic>` |',
            '| --- | --- | --- | --- | --- | --- | --- |', *rows, '', 'All of them:', '',
            *settings_table(NoiseSettings)]


def kind_page(name: str) -> list[str]:
    """Return lines of Markdown: the quantity of a kind and every key, in the plane and in space.

    Raises SensorError for an unknown kind.
    """
    if name not in sensor_kinds():
        raise SensorError(f'{name}: unknown kind of sensor, expected one of '
                          f'{", ".join(sensor_kinds())}')
    kind = sensor_kinds()[name]
    lines = [f'## {name}', '', f'{kind.measures} [{kind.unit}].', '']
    for dimension, heading in ((2, 'In the plane:'), (3, 'In space:')):
        if kind.known_in(dimension) and kind.of(dimension).keys:
            lines += [heading, '', '| key | takes | default | |', '| --- | --- | --- | --- |', *(
                f'| `{key}` | {described["title"]} | {_default(described)} '
                f'| {described["description"]} |'
                for key, described in kind.of(dimension).keys.items()), '']
    return lines


def _keys(kind: SensorKind, dimension: int) -> str:
    """Return the keys of a SensorKind in a dimension; in brackets: may be left out."""
    if not kind.known_in(dimension):
        return 'not there'
    return ', '.join(f'[`{key}`]' if 'default' in described else f'`{key}`'
                     for key, described in kind.of(dimension).keys.items())


def _default(described: Mapping[str, Any]) -> str:
    return f'`{json.dumps(described["default"])}`' if 'default' in described else 'required'


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    return list_plugins('ros2 run mb_sensors kinds', __doc__, 'kind', list(sensor_kinds()),
                        overview, kind_page, arguments)


if __name__ == '__main__':
    sys.exit(main())
