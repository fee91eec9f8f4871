"""Generated code and hashes kept on disk, so that a program starts without generating them.

One file per interface in $XDG_CACHE_HOME/embedded_ros (or ~/.cache/embedded_ros), in a folder of
its own for each Python environment: they would replace each other's entries otherwise. An entry
counts as long as this package and all definition files it was made from are as they were.
"""
import functools
from hashlib import sha256
import marshal
import os
from pathlib import Path
import sys


def load(name, source):
    """Give the entry of an interface whose definition is in the file source, or None."""
    try:
        entry = marshal.loads((_folder() / name.replace('/', '.')).read_bytes())
        current = (entry['generator'] == _generator() and entry['source'] == str(source)
                   and all(_stamp(path) == stamp for path, stamp in entry['files']))
    except (OSError, ValueError, EOFError, TypeError, KeyError):
        return None
    return entry if current else None


def save(name, source, files, entry):
    """Keep an entry (a dict of plain values); a folder that cannot be written is no error."""
    entry = {**entry, 'generator': _generator(), 'source': str(source),
             'files': [(str(path), _stamp(path)) for path in files]}
    target = _folder() / name.replace('/', '.')
    temporary = target.with_name(f'{target.name}.{os.getpid()}')
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(marshal.dumps(entry))
        temporary.replace(target)
    except OSError:
        pass


@functools.cache
def _folder():
    base = os.environ.get('XDG_CACHE_HOME') or os.path.expanduser('~/.cache')
    environment = sha256(os.fsencode(sys.prefix)).hexdigest()[:16]
    return Path(base) / 'embedded_ros' / f'{sys.implementation.cache_tag}-{environment}'


@functools.cache
def _generator():
    """State of the modules that generate the code."""
    return [[entry.name, *_stamp(entry.path)]
            for entry in sorted(os.scandir(Path(__file__).parent), key=lambda e: e.name)
            if entry.name.endswith('.py')]


def _stamp(path):
    status = os.stat(path)
    return [status.st_mtime_ns, status.st_size]
