"""USD: articulations of UsdPhysics, with usd-core, which is installed apart."""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_import.readers.usd.reading import read
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
