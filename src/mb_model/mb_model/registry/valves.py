"""All kinds of valves, by name."""

from mb_model.registry.kind_modules import gathered, kind_modules
from mb_model.valves import kinds

VALVES = gathered(kind_modules(kinds.__name__), 'VALVE')     # name -> ValveKind
