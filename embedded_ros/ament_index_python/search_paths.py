"""The prefixes in which resources are looked for."""
import os
import sys

from ament_index_python.constants import AMENT_PREFIX_PATH_ENV_VAR


def get_search_paths():
    """Existing prefixes of AMENT_PREFIX_PATH in order, then the Python environment's own prefix.

    The last one holds what is installed without any setup script, so nothing needs sourcing.
    """
    paths = os.environ.get(AMENT_PREFIX_PATH_ENV_VAR, '').split(os.pathsep)
    found = [path for path in paths if path and os.path.exists(path)]
    return found if sys.prefix in found else [*found, sys.prefix]
