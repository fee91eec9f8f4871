"""What a file of a bag says of its recording: the ROS distribution, and data of the user."""
from contextlib import closing
from dataclasses import dataclass, field
import sqlite3

import yaml

from rosbag2_py.metadata import UNKNOWN

MAGIC = b'\x89MCAP0\r\n'
METADATA, HEAD = 0x0C, 9        # kind of a record; length of what precedes its content [byte]
NAME = 'rosbag2'                # of the metadata in an mcap file


@dataclass
class StoredFacts:
    """ROS distribution, and data of the user by name."""

    ros_distro: str = UNKNOWN
    custom_data: dict = field(default_factory=dict)


def stored_facts(path):
    """StoredFacts of an mcap or sqlite3 file; what it does not say is unknown."""
    try:
        distro, text = (_of_mcap if path.suffix == '.mcap' else _of_sqlite)(path)
        document = yaml.safe_load(text)
    except Exception:       # of sqlite, YAML, texts: there is no end of kinds in a damaged file
        return StoredFacts()
    return facts_of(document, distro)


def facts_of(document, distro=''):
    """StoredFacts of a document of metadata; distro: that counts more, if there is one."""
    entries = document if isinstance(document, dict) else {}
    found = distro or entries.get('ros_distro')
    custom = entries.get('custom_data')
    return StoredFacts(found if isinstance(found, str) and found else UNKNOWN,
                       custom if isinstance(custom, dict) else {})


def common_facts(facts):
    """StoredFacts of several files: unknown where they differ, data of all of them."""
    distros = {one.ros_distro for one in facts} - {UNKNOWN}
    custom = {}
    for one in facts:
        custom |= one.custom_data
    return StoredFacts(distros.pop() if len(distros) == 1 else UNKNOWN, custom)


def _of_sqlite(path):
    """(distribution, text of metadata) of a file; empty where it has none."""
    with closing(sqlite3.connect(f'{path.absolute().as_uri()}?mode=ro', uri=True)) as database:
        return (_last(database, 'SELECT ros_distro FROM schema'),
                _last(database, 'SELECT metadata FROM metadata ORDER BY id'))


def _last(database, query):
    """The last value that a query finds; empty without one, or without its table."""
    try:
        rows = database.execute(query).fetchall()
    except sqlite3.OperationalError:
        return ''
    return rows[-1][0] or '' if rows else ''


def _of_mcap(path):
    """(distribution, text of metadata) of a file; empty where it has none.

    Source: MCAP format specification, section Metadata.
    """
    found = {}
    with open(path, 'rb') as file:
        size = file.seek(0, 2)
        file.seek(0)
        if file.read(len(MAGIC)) != MAGIC:
            return '', ''
        while len(head := file.read(HEAD)) == HEAD:
            length = int.from_bytes(head[1:], 'little')
            if file.tell() + length > size:
                break
            if head[0] != METADATA:
                file.seek(length, 1)
                continue
            record = file.read(length)
            name, at = _text(record, 0)
            if name == NAME:
                found |= texts_by_name(record[at + 4:])     # behind the length of the map
    return found.get('ROS_DISTRO', ''), found.get('serialized_metadata', '')


def texts_by_name(content):
    """The texts of a map in an mcap file, whose length is left out, by their names."""
    texts, at = [], 0
    while at + 4 <= len(content):
        text, at = _text(content, at)
        texts.append(text)
    return dict(zip(texts[::2], texts[1::2], strict=False))


def _text(record, at):
    """(text that begins at a byte, where it ends)."""
    end = at + 4 + int.from_bytes(record[at:at + 4], 'little')
    return record[at + 4:end].decode(errors='replace'), end
