"""When compiled code in numba's cache is outdated: after a change of any file it was made from.

numba looks only at the file of a function, not at the files of the functions, constants and records
it takes from elsewhere.  Here it looks at every module of ours (mb_...), or of the same
package, that the function's module imports, directly or through others.  A module that finds others
while it is imported, such as the kinds of constraints, names them in its SOURCES.  A name that is
exported counts for the module that defines it, not for all that is exported.
"""

from functools import cache
from hashlib import sha256
from pathlib import Path
import re
import sys
from typing import Any

from numba.core.caching import (
    CacheImpl,
    InTreeCacheLocator,
    UserProvidedCacheLocator,
    UserWideCacheLocator,
)

from mb_model.jit.kernel import PLAIN

_IMPORT = re.compile(r'^(?:from +(\S+) +import +(\([^)]*\)|[^\n]*)|import +(\S+))', re.MULTILINE)


def _look_at_imports() -> None:
    """Let numba judge by source_stamp all functions that are compiled from now on."""
    by_file = UserProvidedCacheLocator, InTreeCacheLocator, UserWideCacheLocator
    CacheImpl._locator_classes = [_by_imports(locator) if locator in by_file else locator
                                  for locator in CacheImpl._locator_classes]


def _by_imports(locator: type[Any]) -> type[Any]:
    """Return a kind of locator of numba's cache with another idea of what the sources are."""
    class ByImports(locator):

        def __init__(self, function: Any, file: str) -> None:
            super().__init__(function, file)
            self._module = function.__module__

        def get_source_stamp(self) -> Any:
            stamp = source_stamp(self._module) or super().get_source_stamp()
            return f'{stamp} plain' if PLAIN else stamp      # callers of separate kernels differ

    return ByImports


@cache
def source_stamp(module: str) -> str | None:
    """Return a digest of the sources of a module and of its imports, None if it has no source."""
    digests, open_ends = {}, [module]
    while open_ends:
        name = open_ends.pop()
        if name not in digests and _file(name):
            digests[name], imports = _source(name)
            open_ends += imports
    return sha256(repr(sorted(digests.items())).encode()).hexdigest() if digests else None


@cache
def _source(name: str) -> tuple[str, list[str]]:
    """Return the digest of a module's source, and what it imports: modules, and names in them."""
    text = _file(name).read_text(encoding='utf-8')
    imports = set()
    for package, things, module in _IMPORT.findall(text):
        exported = getattr(sys.modules.get(package or module), 'EXPORTS', None)
        names = re.findall(r'\w+', things)
        if exported is None:
            origins = [(package, thing) for thing in names]
            imports.add(package or module)
        else:
            origins = [exported[thing] for thing in names or exported if thing in exported]
            imports |= {f'{package}.{thing}' for thing in names if thing not in exported}
        imports |= {name for origin, thing in origins for name in (origin, f'{origin}.{thing}')}
    own = name.partition('.')[0]
    digests = getattr(sys.modules.get(name), 'SOURCES', ())
    return sha256(text.encode()).hexdigest(), [*digests, *(
        name for name in imports if name.startswith('mb_') or name.partition('.')[0] == own)]


@cache
def _file(name: str) -> Path | None:
    """Return the source file of a module, None if there is no such module."""
    top, *rest = name.split('.')
    package = getattr(sys.modules.get(top), '__file__', None)
    if package is None or not rest:
        return Path(package) if package and package.endswith('.py') else None
    path = Path(package).parent.joinpath(*rest)
    for file in (path.with_name(f'{path.name}.py'), path / '__init__.py'):
        if file.is_file():
            return file
    return None


_look_at_imports()
