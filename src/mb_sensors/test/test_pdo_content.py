"""Values of PDOs, wherever they are in them."""

from hypothesis import given, strategies as st
import pytest

from mb_sensors.sources.can_bus.can_pdo import PdoContent
from mb_sensors.sources.can_bus.canopen_profiles import ENCODER, POSITION, object_dictionary

VALUE = (POSITION, 0)


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
