"""EDS files as makers write them: completed by the profile, odd where it does not matter; PDOs."""

from encoder_eds import FILE, load, written
from hypothesis import given, settings, strategies as st
import pytest

from mb_sensors import SensorError
from mb_sensors.sources.can_bus.can_pdo import PdoContent
from mb_sensors.sources.can_bus.canopen_profiles import (
    ENCODER,
    HEARTBEAT_TIME,
    POSITION,
    RESOLUTION,
    REVOLUTIONS,
    object_dictionary,
)

NEEDED = [
    ('1800sub1', 'DataType'), ('1800sub1', 'DefaultValue'), ('1A00sub1', 'DefaultValue'),
    ('1A00sub0', 'DataType'), ('6004', 'DataType'), ('6004', 'ObjectType')]
UNNEEDED = [(section, key) for section, entries in FILE.items() for key in entries
            if section in ('FileInfo', 'DeviceInfo', '1000', '2100')
            or key in ('PDOMapping', 'SubNumber', 'ParameterName')]
VALUE = (POSITION, 0)
ODD = st.sampled_from(['', '003', 'x', '0x', '-', '1.5', '99999999999999999999', '$NODEID', 'ä'])


def with_entry(section, key, value):
    return {**FILE, section: {**FILE[section], key: value}}


def test_the_profile_completes_what_a_file_lacks(folder):
    found, content = load(written(folder, FILE))
    for index in (RESOLUTION, REVOLUTIONS, HEARTBEAT_TIME, 0x1001):
        assert index in found
    assert content.cob_id == 0x187
    assert found[0x6004].data_type == 7         # its own objects stay


@settings(deadline=None)
@given(st.sampled_from(UNNEEDED), ODD, st.sampled_from(['utf-8', 'latin-1']))
def test_entries_that_nothing_needs_may_be_odd(folder, place, value, encoding):
    found, content = load(written(folder, with_entry(*place, value), encoding))
    assert (content.cob_id, content.entries) == (0x187, ((0x6004, 0, 32),))
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
    content = with_entry('1800sub1', 'DefaultValue', '0' * zeros + '384+$NODEID')
    content['1A00sub0'] = {**FILE['1A00sub0'], 'DefaultValue': '0' * zeros + '1'}
    content['6004'] = {**FILE['6004'], 'DataType': '0' * zeros + '7'}
    _, found = load(written(folder, content), node_id)
    assert (found.cob_id, found.entries) == (0x180 + node_id, ((0x6004, 0, 32),))


@pytest.mark.parametrize(('text', 'words'), [
    ('', 'has no object'), ('[DeviceInfo]\nVendorNumber=3', 'has no object'),
    ('no sections', 'has no object')])
def test_a_file_of_another_kind_is_refused(folder, text, words):
    file = folder / 'other.eds'
    file.write_text(text)
    with pytest.raises(SensorError, match=words):
        load(file)


@given(st.integers(0, 2 ** 32 - 1), st.lists(st.integers(1, 16), max_size=2), st.integers(0, 16),
       st.integers(0, 2 ** 64 - 1))
def test_a_value_is_read_behind_unknown_objects(raw, before, after, noise):
    entries = [(0x2100 + k, 0, bits) for k, bits in enumerate(before)]
    content = PdoContent(0x187, (*entries, (*VALUE, 32), (0x2200, 0, after)))
    start = sum(before)
    data = noise & ~(0xFFFFFFFF << start) | raw << start
    read, = content.readers(object_dictionary(ENCODER), VALUE).values()
    assert read(data.to_bytes(9, 'little')) == raw


@pytest.mark.parametrize(('entries', 'words'), [
    (((0x2100, 0, 32),), 'does not hold 6004h as a number'),
    (((*VALUE, 16),), 'holds 16 bits of 6004h:0, expected 32')])
def test_a_pdo_without_the_whole_value_is_refused(entries, words):
    with pytest.raises(ValueError, match=words):
        PdoContent(0x187, entries).readers(object_dictionary(ENCODER), VALUE)
