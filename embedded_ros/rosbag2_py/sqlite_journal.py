"""What SQLite has beside a file: a transaction that a crash cut short.

It is taken back, or brought to its end, in a copy: where the journal is damaged, SQLite may cut the
file, or write what is wrong into it.
"""
from contextlib import closing, contextmanager, suppress
from pathlib import Path
import shutil
import sqlite3
from tempfile import TemporaryDirectory

SIDES = ('-journal', '-wal', '-shm')


def beside(path, side):
    """The path of a file that SQLite has beside another one."""
    return path.with_name(path.name + side)


def remove_sides(path):
    """Remove what is beside a file that needs it no more."""
    for side in SIDES:
        beside(path, side).unlink(missing_ok=True)


def has_transaction(path):
    """Whether SQLite would change a file by opening it.

    Source: SQLite, "Atomic Commit In SQLite", section 4.2; an ended journal begins with zeros.
    """
    for side in SIDES[:2]:
        with suppress(FileNotFoundError), open(beside(path, side), 'rb') as handle:
            if handle.read(1).strip(b'\0'):
                return True
    return False


@contextmanager
def settled(path):
    """Yield the path of a copy in which a transaction was settled; the file's own without one.

    Raises OSError if there is no room for a copy.
    """
    if not has_transaction(path):
        yield path
        return
    with TemporaryDirectory(prefix=f'.{path.name}.', dir=path.parent) as place:
        for side in ('', *SIDES[:2]):
            with suppress(FileNotFoundError):
                shutil.copyfile(beside(path, side), f'{place}/{path.name}{side}')
        copy = Path(place) / path.name
        with suppress(sqlite3.Error, ValueError), closing(sqlite3.connect(copy)) as database:
            database.execute('PRAGMA journal_mode=DELETE').fetchall()
        yield copy


def is_sound(path):
    """Whether SQLite finds a bag without damage in a file, as it is."""
    uri = f'{path.absolute().as_uri()}?immutable=1'
    try:
        with closing(sqlite3.connect(uri, uri=True)) as database:
            (answer,), = database.execute('PRAGMA integrity_check(1)').fetchall()
            database.execute('SELECT topic_id, timestamp, data FROM messages LIMIT 1')
            database.execute('SELECT name, type, serialization_format FROM topics LIMIT 1')
    except (sqlite3.Error, ValueError):
        return False
    return answer == 'ok'
