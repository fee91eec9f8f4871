"""How sequences of numbers that follow one another lie in CDR, given how long they are.

Mostly they are as long as in the message before: then all of them are read by one struct call, and
written by one join. A shape depends on where the first count lies modulo 8, residue, counted with
the 4-byte header; sizes are of one element [byte].
"""
import functools
from struct import Struct


def _layout(residue, sizes, counts):
    """(padding, count, padding, length in bytes) of each sequence."""
    position = residue
    for size, count in zip(sizes, counts, strict=True):
        before = -position % 4
        position += before + 4
        between = (4 - position) % 8 if count and size == 8 else 0
        yield before, count, between, count * size
        position += between + count * size


@functools.lru_cache(256)
def read_shape(residue, sizes, counts):
    """(residue, size in bytes, function that unpacks count and bytes of each, counts)."""
    whole = Struct('<' + ''.join(
        f'{before}xI{between}x{length}s'
        for before, _, between, length in _layout(residue, sizes, counts)))
    return residue, whole.size, whole.unpack_from, counts


@functools.lru_cache(256)
def write_shape(residue, sizes, counts):
    """(residue, counts, what stands before the elements of each)."""
    return residue, counts, tuple(
        bytes(before) + count.to_bytes(4, 'little') + bytes(between)
        for before, count, between, _ in _layout(residue, sizes, counts))
