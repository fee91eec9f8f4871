"""Kinds of sensors: what their schema says is what is read."""

from dataclasses import replace
from functools import cache

from jsonschema import Draft202012Validator
import pytest
from sensor_entries import KEYS, KEYS_IN_SPACE, MACHINE, MACHINE_IN_SPACE

from mb_model import load_mechanism, mechanism_names
from mb_model.checking import findings
from mb_model.kind_api import schema_page
from mb_model.mechanism_file.file import read_mechanism_file
from mb_model.mechanism_file.schema import published_schema
from mb_sensors import SensorError, sensors_of
from mb_sensors.commands.kinds import main
from mb_sensors.kinds import channel_kinds, sensor_kinds

VALIDATOR = Draft202012Validator(published_schema())
KINDS = [(2, kind, own) for kind, own in KEYS.items()] + [
    (3, kind, own) for kind, own in KEYS_IN_SPACE.items()]


def is_valid(sensor, dimension):
    raw = {'name': 'm', 'bodies': {}, 'sensors': {'probe': sensor}}
    raw |= {'points': {}} if dimension == 2 else {'dimension': 3}
    return VALIDATOR.is_valid(raw)


@cache
def machine(dimension):
    """Return a machine that may have a sensor of each kind."""
    if dimension == 2:
        return load_mechanism('four_bar').replace(**MACHINE)
    return load_mechanism('six_axis_arm').replace(
        sensors=None, sensor_groups=None, **MACHINE_IN_SPACE)


def read(sensor, dimension):
    return sensors_of(machine(dimension).replace(sensors={'probe': sensor}), 'probe')[0]


def is_read(sensor, dimension):
    try:
        read(sensor, dimension)
    except SensorError:
        return False
    return True


def variations(kind, dimension, own):
    """Yield entries of a kind: whole, and with a key left out, unknown or of another type."""
    whole = {'kind': kind, 'sigma': 0.1, 'rate': '10 * 2', 'topic': 'one/of/several', **own}
    yield whole
    yield from ({key: value for key, value in whole.items() if key != left_out}
                for left_out in whole)
    yield {**whole, 'sigmaa': 0.1}
    yield from ({**whole, key: {'?': 1}} for key in (
        *whole, *sensor_kinds()[kind].of(dimension).keys))


@pytest.mark.parametrize(('dimension', 'kind', 'own'), KINDS)
def test_the_schema_accepts_what_is_read(dimension, kind, own):
    entries = list(variations(kind, dimension, own))
    assert is_read(entries[0], dimension)
    for entry in entries:
        assert is_valid(entry, dimension) == is_read(entry, dimension), entry


@pytest.mark.parametrize(('dimension', 'kind', 'own'), KINDS)
def test_defaults_are_those_of_the_schema(dimension, kind, own):
    """An entry that spells them out is the same sensor."""
    keys = sensor_kinds()[kind].of(dimension).keys
    defaults = {key: described['default'] for key, described in keys.items()
                if 'default' in described}
    entry = {'kind': kind, 'sigma': 0.1, **own}
    short = {key: value for key, value in entry.items() if key not in defaults}
    one, other = (read(given, dimension) for given in (short, {**defaults, **short}))
    assert one.channels == other.channels
    assert one.records.tobytes() == other.records.tobytes()


def test_a_kind_of_the_other_dimension_is_refused(monkeypatch):
    flat = replace(sensor_kinds()['speed'], space=None)
    monkeypatch.setitem(sensor_kinds(), 'speed', flat)
    with pytest.raises(SensorError, match='speed: not for a mechanism of dimension 3, expected'):
        read({'kind': 'speed', 'sigma': 0.1, **KEYS_IN_SPACE['speed']}, 3)


@pytest.mark.parametrize('name', mechanism_names())
def test_the_schema_accepts_the_sensors_of_shipped_mechanisms(name):
    raw, _ = read_mechanism_file(name)
    VALIDATOR.validate(raw)


@pytest.mark.parametrize('name', ['six_axis_arm', 'stewart', 'excavator', 'quarter_car'])
def test_check_reads_sensors_in_space(name):
    raw, file = read_mechanism_file(name)
    assert findings(raw, file).mistakes == ()
    wrong = {'kind': 'gyroscope', 'body': next(iter(raw['bodies'])), 'rpy': [1.0], 'sigma': 0.1}
    mistakes = findings({**raw, 'sensors': {'probe': wrong}, 'sensor_groups': {}}, file).mistakes
    assert any(f'{file}: sensors.probe.rpy: ' in mistake for mistake in mistakes)


def test_every_file_is_a_kind_with_a_number_of_its_own():
    kinds = sensor_kinds()
    assert {(2, kind) for kind in KEYS} | {(3, kind) for kind in KEYS_IN_SPACE} == {
        (dimension, name) for name, kind in kinds.items() for dimension in (2, 3)
        if kind.known_in(dimension)}
    assert channel_kinds().NOTHING == 0
    equations = {(kind.name, kind.of(dimension).value) for kind in kinds.values()
                 for dimension in (2, 3)
                 if kind.known_in(dimension) and kind.of(dimension).value is not None}
    assert len(channel_kinds()) == 1 + len(equations)
    assert all(kind.name == name for name, kind in kinds.items())


def test_pages_describe_every_kind_and_key(capsys):
    assert main(['--markdown']) == 0
    listed = capsys.readouterr().out
    for dimension, name, _ in KINDS:
        page, kind = schema_page(dimension), sensor_kinds()[name]
        assert f'### kind: {name}' in page
        assert f'| `{name}` | {kind.measures} | {kind.unit} |' in listed
        for key, described in kind.of(dimension).keys.items():
            row = f'| `{key}` | {described["title"]} |'
            assert row in page
            assert row in listed
            assert described['description'].endswith('.')
            assert described['description'] in listed


def test_an_unknown_kind_is_reported(capsys):
    assert main(['sundial']) == 2
    assert 'sundial: unknown kind of sensor, expected one of' in capsys.readouterr().err
