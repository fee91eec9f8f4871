"""What other packages use to write their kernels as C libraries."""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_estimators.commands.c_library_options import add_library_arguments, new_library
    from mb_estimators.native.c_library import indented, library_name, strings, write_library
    from mb_estimators.native.program import Program, Variable, numbers_at, padded
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
