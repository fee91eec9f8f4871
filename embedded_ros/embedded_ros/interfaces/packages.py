"""Interface packages as Python packages: `from std_msgs.msg import String` without files for it."""
from importlib.machinery import ModuleSpec
import sys
from types import ModuleType

from .definitions import UnknownInterfaceError, list_interfaces
from .message import module_name
from .names import KINDS, split_name
from .registry import get_interface


class InterfaceModule(ModuleType):
    """`package.msg`, `package.srv` or `package.action`; its classes are made when asked for."""

    def __getattr__(self, name):
        if name == '__all__':
            return self._names()
        if name.startswith('_'):
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'")
        full_name = f'{self.__name__.replace(".", "/")}/{name}'
        try:
            cls = get_interface(full_name)
        except UnknownInterfaceError:
            if full_name in list_interfaces(full_name.split('/')[0]):
                raise  # it exists, and names what it needs and is missing
            raise AttributeError(
                f"module '{self.__name__}' has no attribute '{name}'") from None
        setattr(self, name, cls)
        return cls

    def __dir__(self):
        return sorted({*super().__dir__(), *self._names()})

    def _names(self):
        package, kind = self.__name__.split('.')
        return [name.split('/')[2] for name in list_interfaces(package)
                if name.split('/')[1] == kind]


def provide_package(package):
    """Make package.msg, package.srv and package.action importable; the package calls this."""
    parent = sys.modules[package]
    parent.__path__ = []
    for kind in KINDS:
        name = f'{package}.{kind}'
        module = InterfaceModule(name, f'{kind} interfaces of {package}, made when asked for.')
        module.__spec__ = ModuleSpec(name, None, is_package=True)
        module.__path__, module.__package__ = [], name
        sys.modules[name] = module
        setattr(parent, kind, module)
    if _ClassModules not in map(type, sys.meta_path):
        sys.meta_path.append(_ClassModules())


class _ClassModules:
    """Finds the module of each class, `std_msgs.msg._string`, which pickles refer to."""

    def find_spec(self, fullname, path=None, target=None):
        parent = sys.modules.get(fullname.rpartition('.')[0])
        if not isinstance(parent, InterfaceModule):
            return None
        return ModuleSpec(fullname, self) if self._owners(fullname) else None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        for name in self._owners(module.__name__):
            cls = get_interface(name)
            setattr(module, cls.__name__, cls)
            for part in ('Request', 'Response', 'Event', 'Goal', 'Result', 'Feedback'):
                if hasattr(cls, part):
                    setattr(module, getattr(cls, part).__name__, getattr(cls, part))

    def _owners(self, fullname):
        package, kind, _ = fullname.split('.')
        return [name for name in list_interfaces(package)
                if split_name(name)[1] == kind and module_name(name) == fullname]
