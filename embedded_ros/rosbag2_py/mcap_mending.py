"""Mcap files that were never closed, as after a crash of the recorder."""
import os

MAGIC = b'\x89MCAP0\r\n'
HEADER_SIZE = 9                 # of a record: code [1], length of what follows [8, little endian]
DATA_END = b'\x0f' + (4).to_bytes(8, 'little') + bytes(4)
FOOTER = b'\x02' + (20).to_bytes(8, 'little') + bytes(20)       # no summary


def mend(path):
    """Close an mcap file behind its last complete record, if it is not closed.

    Source: MCAP format specification, sections Records, Footer, Data End.
    """
    with open(path, 'r+b') as handle:
        size = handle.seek(0, os.SEEK_END)
        if size >= 2 * len(MAGIC):
            handle.seek(-len(MAGIC), os.SEEK_END)
            if handle.read() == MAGIC:
                return
        handle.seek(_end_of_records(handle, size))
        handle.truncate()
        handle.write(DATA_END + FOOTER + MAGIC)


def _end_of_records(handle, size):
    """Where the last complete record ends."""
    end = handle.seek(len(MAGIC))
    while end + HEADER_SIZE <= size:
        length = int.from_bytes(handle.read(HEADER_SIZE)[1:], 'little')
        if end + HEADER_SIZE + length > size:
            break
        end = handle.seek(end + HEADER_SIZE + length)
    return end
