"""Kinds of sensors: what their schema says is what is read."""

from jsonschema import Draft202012Validator
import pytest
from sensor_entries import KEYS

from mb_model import load_mechanism, mechanism_names
from mb_model.kind_api import schema_page
from mb_model.mechanism_file.file import read_mechanism_file
from mb_model.mechanism_file.schema import published_schema
from mb_sensors import SensorError, sensors_of
from mb_sensors.commands.kinds import main
from mb_sensors.kinds import channel_kinds, sensor_kinds

VALIDATOR = Draft202012Validator(published_schema())


def is_valid(sensor):
    raw = {'name': 'm', 'points': {}, 'bodies': {}, 'sensors': {'probe': sensor}}
    return VALIDATOR.is_valid(raw)


def is_read(sensor):
    try:
        sensors_of(load_mechanism('four_bar').replace(sensors={'probe': sensor}), 'probe')
    except SensorError:
        return False
    return True


def variations(kind):
    """Yield entries of a kind: whole, and with a key left out, unknown or of another type."""
    whole = {'kind': kind, 'sigma': 0.1, 'rate': '10 * 2', 'topic': 'one/of/several', **KEYS[kind]}
    yield whole
    yield from ({key: value for key, value in whole.items() if key != left_out}
                for left_out in whole)
    yield {**whole, 'sigmaa': 0.1}
    yield from ({**whole, key: {'?': 1}} for key in (*whole, *sensor_kinds()[kind].keys))


@pytest.mark.parametrize('kind', KEYS)
def test_the_schema_accepts_what_is_read(kind):
    for entry in variations(kind):
        assert is_valid(entry) == is_read(entry), entry


@pytest.mark.parametrize('kind', KEYS)
def test_defaults_are_those_of_the_schema(kind):
    """An entry that spells them out is the same sensor."""
    defaults = {key: described['default'] for key, described in sensor_kinds()[kind].keys.items()
                if 'default' in described}
    entry = {'kind': kind, 'sigma': 0.1, **KEYS[kind]}
    short = {key: value for key, value in entry.items() if key not in defaults}
    one, other = (sensors_of(load_mechanism('four_bar').replace(sensors={'probe': given}), 'probe')
                  for given in (short, {**defaults, **short}))
    assert one[0].channels == other[0].channels
    assert one[0].records.tobytes() == other[0].records.tobytes()


@pytest.mark.parametrize('name', mechanism_names())
def test_the_schema_accepts_the_sensors_of_shipped_mechanisms(name):
    raw, _ = read_mechanism_file(name)
    VALIDATOR.validate(raw)


def test_every_file_is_a_kind_with_a_number_of_its_own():
    assert set(KEYS) <= set(sensor_kinds())
    assert channel_kinds().NOTHING == 0
    kinds = sensor_kinds()
    assert len(set(channel_kinds())) == 1 + sum(kind.value is not None for kind in kinds.values())
    assert all(kind.name == name for name, kind in kinds.items())


def test_pages_describe_every_kind_and_key(capsys):
    page = schema_page()
    assert main(['--markdown']) == 0
    listed = capsys.readouterr().out
    for name, kind in sensor_kinds().items():
        assert f'### kind: {name}' in page
        assert f'| `{name}` | {kind.measures} | {kind.unit} |' in listed
        for key, described in kind.keys.items():
            row = f'| `{key}` | {described["title"]} |'
            assert row in page
            assert row in listed
            assert described['description'].endswith('.')
            assert described['description'] in listed


def test_an_unknown_kind_is_reported(capsys):
    assert main(['sundial']) == 2
    assert 'sundial: unknown kind of sensor, expected one of' in capsys.readouterr().err
