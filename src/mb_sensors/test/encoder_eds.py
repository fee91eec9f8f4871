"""The EDS file of an encoder for tests, and what the driver takes of it."""

from mb_model import load_mechanism
from mb_sensors import sensors_of
from mb_sensors.sources.can_bus.can_settings import CanSensorSettings
from mb_sensors.sources.can_bus.canopen_profiles import ENCODER
from mb_sensors.sources.can_bus.eds_device import load_dictionary

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


def written(folder, content, encoding='utf-8'):
    """Return the file of {section: {key: value}}."""
    file = folder / 'angle.eds'
    file.write_text('\n'.join(line for section, entries in content.items() for line in (
        f'[{section}]', *(f'{key}={value}' for key, value in entries.items()))), encoding)
    return file


def load(file, node_id=7):
    """Return (ObjectDictionary, PdoContent) of a file."""
    sensor, = sensors_of(load_mechanism('pendulum'), 'encoder')
    return load_dictionary(
        sensor, CanSensorSettings(node_id=node_id, mapping='eds', eds=str(file)), ENCODER)
