"""EDS files as makers write them: completed by the profile, odd where it does not matter."""

from hypothesis import given, settings, strategies as st
import pytest

from mb_model import load_mechanism
from mb_sensors import SensorError, sensors_of
from mb_sensors.sources.can_bus.can_pdo import load_dictionary
from mb_sensors.sources.can_bus.can_settings import CanSensorSettings
from mb_sensors.sources.can_bus.canopen_profiles import (
    ENCODER,
    HEARTBEAT_TIME,
    RESOLUTION,
    REVOLUTIONS,
)

# Of an encoder that sends its angle every 20 ms: {section: {key: value}}.
FILE = {
    'FileInfo': {'FileName': 'angle.eds'}, 'DeviceInfo': {'VendorNumber': '3'},
    '1000': {'ParameterName': 'kind', 'ObjectType': '7', 'DataType': '7', 'AccessType': 'ro',
             'DefaultValue': '0x00020196', 'PDOMapping': '0'},
    '1800': {'ParameterName': 'sends', 'ObjectType': '9', 'SubNumber': '4'},
    '1800sub0': {'ParameterName': 'n', 'DataType': '5', 'AccessType': 'ro', 'DefaultValue': '5'},
    '1800sub1': {'ParameterName': 'id', 'DataType': '7', 'AccessType': 'rw',
                 'DefaultValue': '$NODEID+0x180'},
    '1800sub2': {'ParameterName': 'type', 'DataType': '5', 'AccessType': 'rw',
                 'DefaultValue': '254'},
    '1A00': {'ParameterName': 'holds', 'ObjectType': '9', 'SubNumber': '2'},
    '1A00sub0': {'ParameterName': 'n', 'DataType': '5', 'AccessType': 'rw', 'DefaultValue': '1'},
    '1A00sub1': {'ParameterName': 'first', 'DataType': '7', 'AccessType': 'rw',
                 'DefaultValue': '0x60040020'},
    '6004': {'ParameterName': 'angle', 'ObjectType': '7', 'DataType': '7', 'AccessType': 'ro',
             'PDOMapping': '1'},
    '2100': {'ParameterName': 'of the maker', 'ObjectType': '7', 'DataType': '5',
             'AccessType': 'rw', 'DefaultValue': '0', 'LowLimit': '0', 'HighLimit': '9'}}
NEEDED = [(section, key) for section, key in (
    ('1800sub1', 'DataType'), ('1800sub1', 'DefaultValue'), ('1A00sub1', 'DefaultValue'),
    ('1A00sub0', 'DataType'), ('6004', 'DataType'), ('6004', 'ObjectType'))]
UNNEEDED = [(section, key) for section, entries in FILE.items() for key in entries
            if section in ('FileInfo', 'DeviceInfo', '1000', '2100')
            or key in ('PDOMapping', 'SubNumber', 'ParameterName')]
ODD = st.sampled_from(['', '003', 'x', '0x', '-', '1.5', '99999999999999999999', '$NODEID', 'ä'])


def written(folder, content, encoding='utf-8'):
    file = folder / 'angle.eds'
    file.write_text('\n'.join(line for section, entries in content.items() for line in (
        f'[{section}]', *(f'{key}={value}' for key, value in entries.items()))), encoding)
    return file


def load(file, node_id=7):
    sensor, = sensors_of(load_mechanism('pendulum'), 'encoder')
    return load_dictionary(
        sensor, CanSensorSettings(node_id=node_id, mapping='eds', eds=str(file)), ENCODER)


def with_entry(section, key, value):
    return {**FILE, section: {**FILE[section], key: value}}


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp('eds')


def test_the_profile_completes_what_a_file_lacks(folder):
    found = load(written(folder, FILE))
    for index in (RESOLUTION, REVOLUTIONS, HEARTBEAT_TIME, 0x1001):
        assert index in found
    assert found[0x1800][1].default == 0x187
    assert found[0x6004].data_type == 7         # its own objects stay


@settings(deadline=None)
@given(st.sampled_from(UNNEEDED), ODD, st.sampled_from(['utf-8', 'latin-1']))
def test_entries_that_nothing_needs_may_be_odd(folder, place, value, encoding):
    found = load(written(folder, with_entry(*place, value), encoding))
    assert found[0x1800][1].default == 0x187
    assert found[0x1A00][1].default == 0x60040020
    assert found[0x6004].data_type == 7


@pytest.mark.parametrize(('section', 'key'), NEEDED)
def test_an_entry_that_is_needed_is_named_by_section_and_key(folder, section, key):
    with pytest.raises(SensorError, match=rf"encoder.can.eds: .*: \[{section}\] {key}: 'x' must"):
        load(written(folder, with_entry(section, key, 'x')))


def test_what_the_pdo_holds_is_needed_too(folder):
    content = with_entry('1A00sub1', 'DefaultValue', '0x21000008')
    content['2100'] = {**FILE['2100'], 'DataType': 'x'}
    with pytest.raises(SensorError, match=r"\[2100\] DataType: 'x' must be a number"):
        load(written(folder, content))


@settings(deadline=None)
@given(st.integers(1, 127), st.integers(0, 5))
def test_zeros_before_a_number_change_nothing(folder, node_id, zeros):
    content = with_entry('1800sub2', 'DefaultValue', '0' * zeros + '254')
    content['1800sub1'] = {**FILE['1800sub1'], 'DataType': '0' * zeros + '7'}
    found = load(written(folder, content), node_id)
    assert found[0x1800][2].default == 254
    assert found[0x1800][1].default == 0x180 + node_id


@pytest.mark.parametrize(('text', 'words'), [
    ('', 'has no object'), ('[DeviceInfo]\nVendorNumber=3', 'has no object'),
    ('no sections', 'contains no section headers')])
def test_a_file_of_another_kind_is_refused(folder, text, words):
    file = folder / 'other.eds'
    file.write_text(text)
    with pytest.raises(SensorError, match=words):
        load(file)
