"""Modules of exports: what a package offers to others, each name imported when it is first used.

Such a module, a package's __init__ or ..._api, lists its names in imports that type checkers and
editors follow, and that `exports` reads:

    if TYPE_CHECKING:
        from mb_model.mechanism import Mechanism, load_mechanism
    else:
        EXPORTS, __all__, __getattr__ = exports(__name__)

So a process imports the modules of the names that it uses, and no others.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
import re
import sys

_IMPORT = re.compile(r'^    from (\S+) import (\([^)]*\)|.*)', re.MULTILINE)
_NAME = re.compile(r'(\w+)(?: as (\w+))?')


def exports(module: str) -> tuple[
        dict[str, tuple[str, str]], list[str], Callable[[str], object]]:
    """Return EXPORTS, __all__ and __getattr__ (PEP 562) of a module that is being imported.

    EXPORTS: {name: (module that defines it, its name there)}; modules of a package may be exported,
    too.
    """
    origins = exported_names(Path(str(sys.modules[module].__file__)).read_text(encoding='utf-8'))

    def imported(name: str) -> object:
        if name not in origins:
            raise AttributeError(f'module {module!r} has no attribute {name!r}')
        origin, original = origins[name]
        home = import_module(origin)
        value = (getattr(home, original) if hasattr(home, original)
                 else import_module(f'{origin}.{original}'))
        setattr(sys.modules[module], name, value)
        return value

    here = vars(sys.modules[module])
    here['__dir__'] = lambda: sorted({*here, *origins})     # for shells that complete names
    return origins, sorted(origins), imported


def exported_names(source: str) -> dict[str, tuple[str, str]]:
    """Return {name: (module, its name there)} of the imports in a source that are indented."""
    return {alias or name: (origin, name) for origin, names in _IMPORT.findall(source)
            for name, alias in _NAME.findall(names)}
