"""All kinds of shapes of bodies, by name."""

from mb_model.registry.kind_modules import gathered, kind_modules
from mb_model.shapes import kinds

SHAPES = gathered(kind_modules(kinds.__name__), 'SHAPE')     # name -> ShapeKind
