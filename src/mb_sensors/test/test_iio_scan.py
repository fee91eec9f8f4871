"""Scans of the industrial I/O subsystem, against a C compiler's layout and Python's integers."""

import ctypes

from hypothesis import given, strategies as st
import numpy as np
import pytest

from mb_sensors.sources.analog.iio_scan import element_values, put_value, scan_element, scan_layout

PLACES = {8: ctypes.c_uint8, 16: ctypes.c_uint16, 32: ctypes.c_uint32, 64: ctypes.c_uint64}


@st.composite
def described(draw):
    """Return (text, big endian, signed, bits, storage, shift) of an element."""
    storage = draw(st.sampled_from(sorted(PLACES)))
    bits = draw(st.integers(1, storage))
    shift = draw(st.integers(0, storage - bits))
    order, sign = draw(st.sampled_from(['be', 'le'])), draw(st.sampled_from('su'))
    text = f'{order}:{sign}{bits}/{storage}>>{shift}'
    return text, order == 'be', sign == 's', bits, storage, shift


@given(st.lists(described(), min_size=1, max_size=5), st.randoms(), st.data())
def test_scans_are_laid_out_and_read_as_the_kernel_writes_them(types, random, data):
    elements = [scan_element(f'e{k}', k, one[0]) for k, one in enumerate(types)]
    shuffled = random.sample(elements, len(elements))
    layout = scan_layout(shuffled)
    struct = type('Scan', (ctypes.Structure,), {'_fields_': [
        (f'e{k}', PLACES[one[4]]) for k, one in enumerate(types)]})
    assert layout.itemsize == ctypes.sizeof(struct)
    content = data.draw(st.binary(min_size=3 * layout.itemsize, max_size=3 * layout.itemsize))
    scans = np.frombuffer(content, layout)
    for element, (_, big, signed, bits, storage, shift) in zip(elements, types, strict=True):
        start = getattr(struct, element.name).offset
        expected = []
        for k in range(3):
            place = content[k * layout.itemsize + start:][:storage // 8]
            value = int.from_bytes(place, 'big' if big else 'little') >> shift & 2 ** bits - 1
            negative = signed and value >> (bits - 1)
            expected.append(value - 2 ** bits if negative else value)
        assert element_values(scans, element).tolist() == expected


@given(described(), st.data())
def test_what_is_put_is_read(one, data):
    text, _, signed, bits, _, _ = one
    low = -2 ** (bits - 1) if signed else 0
    value = data.draw(st.integers(low, low + 2 ** bits - 1))
    element = scan_element('e', 0, text)
    scan = np.zeros(1, scan_layout([element]))
    put_value(scan, element, value)
    assert element_values(scan, element).tolist() == [value]


@pytest.mark.parametrize('text', [
    '', 'be:s12/16', 'xe:s12/16>>4', 'be:s12/15>>0', 'be:s0/16>>0', 'be:s16/16>>1', 'le:u8/8X3>>0'])
def test_types_that_cannot_be_read_are_reported(text):
    with pytest.raises(ValueError, match='in_voltage0: its type '):
        scan_element('in_voltage0', 0, text)


@given(st.text(max_size=20))
def test_any_text_is_a_type_or_an_error(text):
    try:
        element = scan_element('e', 0, text)
    except ValueError:
        return
    assert element.bits + element.shift <= element.storage
