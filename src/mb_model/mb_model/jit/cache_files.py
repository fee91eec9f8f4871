"""Files of numba's cache that several processes may write at once.

numba numbers the files of a function's compilations, and writes the index that names a file before
the file.  So a process may read what another one has compiled of older sources, or for other types,
and call it: it would be wrong without a word.  Here a file is named after the sources and the types
that it is for, and written before the index names it.  Each state of the sources has its own index:
environments with other plugins, or with numba as it is, leave each other's code alone.

What is in a file is run by the process that reads it.  So a file is read only if it is whole, under
the name that it was written for, of this user or root, and others cannot write to it; any other one
is compiled anew and replaced, if it can be.

The nodes of a launch start together and need the same kernels: one of them compiles a kernel, the
others wait for it.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
import fcntl
from functools import cache
from hashlib import blake2b, sha256
from itertools import chain
import os
import pickle
import stat
from typing import Any

from numba.core import caching

from mb_model.files.own import open_own
from mb_model.jit.kernel import PLAIN

_DIGEST = 32        # bytes
_KEPT = 2           # other states of the sources, the latest


class CacheFile(caching.IndexDataCacheFile):
    """The index of a function's compilations, and their files."""

    def __init__(self, cache_path: str, filename_base: str, source_stamp: Any) -> None:
        self._begin = f'{filename_base}.checked.'     # with a digest: numba's own have none
        stamp = sha256(repr(source_stamp).encode()).hexdigest()[:8]
        super().__init__(cache_path, f'{self._begin}{stamp}', source_stamp)

    def save(self, key: Any, data: Any) -> None:
        """Keep what was compiled for a key, which names the types."""
        name = self._name_for(key)
        self._save_data(name, data)
        overloads = self._load_index()
        if not overloads:
            self._remove_outdated()
        overloads[key] = name
        self._save_index(overloads)

    def _load_index(self) -> dict[Any, str]:
        try:
            version, stamp, overloads = pickle.loads(_own_content(self._index_path))
        except (OSError, ImportError, AttributeError):      # names types of sources that are gone
            return {}
        return overloads if (version, stamp) == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._write(self._index_name, (self._version, self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        return pickle.loads(_own_content(self._data_path(name)))

    def _save_data(self, name: str, data: Any) -> None:
        self._write(name, data)

    def _write(self, name: str, data: Any) -> None:
        content = self._dump(data)
        with self._open_for_write(self._data_path(name)) as file:
            os.fchmod(file.fileno(), 0o644 & stat.S_IMODE(os.fstat(file.fileno()).st_mode))
            file.write(_digest(name, content) + content)

    def _name_for(self, key: Any) -> str:
        digest = sha256(repr((self._source_stamp, key)).encode()).hexdigest()
        return f'{self._index_name.removesuffix(".nbi")}.{digest[:16]}.nbc'

    def _remove_outdated(self) -> None:
        """Remove files of older sources; a process that looks for one compiles it anew."""
        with os.scandir(self._cache_path) as files:
            other = [file for file in files if file.name.startswith(self._begin)]
        written = {}
        with suppress(FileNotFoundError):       # another process was faster
            for file in sorted(other, key=lambda file: file.stat().st_mtime_ns):
                stamp = file.name.removeprefix(self._begin)[:8]
                written[stamp] = [*written.pop(stamp, []), file.path]     # the latest stand last
        written.pop(self._index_name.removeprefix(self._begin)[:8], None)
        for path in chain(*list(written.values())[:-_KEPT]):
            with suppress(FileNotFoundError):
                os.unlink(path)


def _own_content(path: str) -> bytes:
    """Return what was saved in a file.

    Raises OSError unless it is whole, of this user or root, and others cannot write to it.
    """
    with open(open_own(path, owners=(0,)), 'rb') as file:
        digest, content = file.read(_DIGEST), file.read()
    if digest != _digest(os.path.basename(path), content):
        raise OSError(f'{path}: is damaged')
    return content


def _digest(name: str, content: bytes) -> bytes:
    """Return the digest of what is saved under a name."""
    return blake2b(name.encode() + b'\0' + content, digest_size=_DIGEST).digest()


@contextmanager
def compiling_alone(kernel: Any, types: tuple[Any, ...]) -> Iterator[None]:
    """Let no other process compile a kernel for these types meanwhile; wait for one that does.

    Nothing waits for what is in the cache, nor where its folder cannot be written.
    """
    cache = kernel._cache
    key = cache._index_key(types, kernel.targetctx.codegen())
    if key in cache._cache_file._load_index():
        yield
        return
    byte = int.from_bytes(sha256(repr((cache._cache_file._index_name, key)).encode()).digest()[:4])
    with suppress(OSError):     # of a folder that cannot be written, a file system without locks
        fcntl.lockf(_lock_file(cache.cache_path), fcntl.LOCK_EX, 1, byte)
    try:
        yield
    finally:
        with suppress(OSError):
            fcntl.lockf(_lock_file(cache.cache_path), fcntl.LOCK_UN, 1, byte)


@cache
def _lock_file(folder: str) -> int:
    """Return a descriptor of the file of locks of a folder: a byte is a kernel's.  Raises OSError.

    To close it anywhere in a process would end all locks that the process has.
    """
    os.makedirs(folder, exist_ok=True)
    return open_own(os.path.join(folder, 'kernels.lock'), os.O_WRONLY | os.O_CREAT, 0o644,
                    owners=(0,))


if not PLAIN:
    caching.IndexDataCacheFile = CacheFile
