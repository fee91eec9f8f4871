"""Notes every function that numba compiles, in the file that COMPILED_FUNCTIONS names.

Python imports a module of this name at its start, from wherever PYTHONPATH leads.
"""

from importlib.abc import MetaPathFinder
from importlib.util import find_spec
import os
import sys


class Watch(MetaPathFinder):
    """Begins to listen once numba's events are imported: few programs need numba at all."""

    def find_spec(self, name, path, target=None):
        """Return how to import the events of numba, and nothing else."""
        if name != 'numba.core.event':
            return None
        sys.meta_path.remove(self)
        spec = find_spec(name)
        load = spec.loader.exec_module

        def load_and_listen(events):
            load(events)
            events.register('numba:compile', listener(events.Listener))
        spec.loader.exec_module = load_and_listen
        return spec


def listener(base):
    """Return an object that notes what begins to be compiled; base: its class."""
    class Notes(base):

        def on_start(self, event):
            function = event.data['dispatcher'].py_func
            with open(os.environ['COMPILED_FUNCTIONS'], 'a', encoding='utf-8') as file:
                print(os.path.basename(sys.argv[0]), function.__module__, function.__qualname__,
                      file=file)

        def on_end(self, event):
            pass
    return Notes()


sys.meta_path.insert(0, Watch())
