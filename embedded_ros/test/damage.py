"""What can happen to the bytes of a file, for hypothesis."""
from hypothesis import strategies as st

MOST = 60       # [byte] that are damaged in one place


def apply(data, damages):
    """The bytes after some damages, see `damages`."""
    data = bytearray(data)
    for kind, share, size, fill in damages:
        at = int(share * len(data))
        if kind == 'flip' and data:
            data[min(at, len(data) - 1)] ^= 1 << size % 8
        elif kind == 'cut':
            del data[at:]
        elif kind == 'write':
            data[at:at + size] = (fill * size)[:len(data[at:at + size])]
        elif kind == 'insert':
            data[at:at] = (fill * size)[:size]
        elif kind == 'remove':
            del data[at:at + size]
    return bytes(data)


def damages(kinds=('flip', 'cut', 'write', 'insert', 'remove'), most=3):
    """Lists of (kind, place as a share of the file, size, bytes that are written)."""
    return st.lists(st.tuples(
        st.sampled_from(kinds), st.floats(0.0, 1.0, exclude_max=True), st.integers(1, MOST),
        st.binary(min_size=1, max_size=8)), min_size=1, max_size=most)


def touched(size, damages):
    """Ranges of a file of this size that damages which move nothing have reached."""
    ranges, whole = [], size
    for kind, share, length, _ in damages:
        at = int(share * size)
        if kind == 'flip':
            at = min(at, size - 1)
            ranges.append((at, at + 1))
        elif kind == 'cut':
            ranges.append((at, whole))
            size = at
        elif kind == 'write':
            ranges.append((at, at + length))
    return ranges


def is_reached(begin, end, ranges):
    """Whether any of the ranges meets the bytes from begin on, before end."""
    return any(first < end and begin < last for first, last in ranges)
