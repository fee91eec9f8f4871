"""Types of arrays, whose shapes are in docstrings, and of compiled functions."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
RecordArray = NDArray[np.void]              # of a structured dtype
Selection = slice | BoolArray | IntArray    # of rows
Kernel = Callable[..., Any]                 # compiled: numba checks the arguments
