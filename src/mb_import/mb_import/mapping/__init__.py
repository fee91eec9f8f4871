"""From a Machine to the mapping of a mechanism file."""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_import.mapping.mechanism import mechanism_mapping
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
