"""xacro: a program that writes URDF."""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_import.readers.xacro.reader import read
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
