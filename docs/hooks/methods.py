"""Functions that classes take as their methods, in pages of the library: without what is `self`."""

from typing import Any

import griffe

FIRST = {'mb_model.mechanism.': 'mechanism'}    # beginning of a path -> parameter


class Methods(griffe.Extension):
    """Leaves out the first parameter of functions that a class takes as its methods."""

    def on_function(self, *, func: griffe.Function, **_: Any) -> None:
        """Change the signature of a function of one of these modules."""
        for begin, name in FIRST.items():
            if func.path.startswith(begin) and [one.name for one in func.parameters][:1] == [name]:
                del func.parameters[name]
