"""Scans of Linux's industrial I/O subsystem: the content of its buffers at every instant.

Source: Documentation/ABI/testing/sysfs-bus-iio and Documentation/driver-api/iio/buffers.rst of
Linux: an element is described as `be:s12/16>>4`, byte order, sign, bits, bits that it takes, shift;
in a scan every element begins at a multiple of its size, and so does the next scan at one of the
largest.
"""

from collections.abc import Iterable
import re
from typing import NamedTuple

import numpy as np

_TYPE = re.compile(r'(be|le):([su])(\d+)/(8|16|32|64)(?:X(\d+))?>>(\d+)')
_BYTE_ORDERS = {'be': '>', 'le': '<'}


class ScanElement(NamedTuple):
    """One channel of a scan: name, number in the order, byte order ('>', '<'), sign, bits."""

    name: str
    index: int
    byte_order: str
    signed: bool
    bits: int
    storage: int        # [bit]
    shift: int          # [bit]

    @property
    def mask(self):
        """Ones where the value is, before it is shifted."""
        return 2 ** self.bits - 1

    @property
    def kind(self):
        """The numpy type of its bits."""
        return f'{self.byte_order}u{self.storage // 8}'


def scan_element(name: str, index: int, text: str):
    """Return the ScanElement that a type text describes.  Raises ValueError."""
    match = _TYPE.fullmatch(text)
    if not match:
        raise ValueError(f'{name}: its type {text!r} must be like be:s12/16>>4')
    byte_order, sign, bits, storage, repeat, shift = match.groups()
    element = ScanElement(name, index, _BYTE_ORDERS[byte_order], sign == 's', int(bits),
                          int(storage), int(shift))
    if not 0 < element.bits <= element.storage - element.shift or int(repeat or 1) != 1:
        raise ValueError(f'{name}: its type {text!r} must be one number that fits in its bits')
    return element


def scan_layout(elements: Iterable[ScanElement]):
    """Return the numpy type of a scan with these ScanElements, given in any order."""
    ordered = sorted(elements, key=lambda element: element.index)
    offsets, end = [], 0
    for element in ordered:
        size = element.storage // 8
        offsets.append(_aligned(end, size))
        end = offsets[-1] + size
    largest = max(element.storage // 8 for element in ordered)
    return np.dtype({'names': [element.name for element in ordered],
                     'formats': [element.kind for element in ordered],
                     'offsets': offsets, 'itemsize': _aligned(end, largest)})


def element_values(scans: np.ndarray, element: ScanElement):
    """Return the values of an element in scans, an array of scan_layout()'s type."""
    raw = scans[element.name].astype(np.uint64) >> np.uint64(element.shift)
    if not element.signed:
        return raw & np.uint64(element.mask)
    unused = 64 - element.bits
    return (raw << np.uint64(unused)).view(np.int64) >> np.int64(unused)


def put_value(scan: np.ndarray, element: ScanElement, value: int):
    """Write a value of an element into a scan, an array of one."""
    scan[element.name] = (value & element.mask) << element.shift


def _aligned(bits: int, size: int):
    """Return the first multiple of a size that is not below a number of bits."""
    return -(-bits // size) * size
