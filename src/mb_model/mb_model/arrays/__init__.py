"""Types of arrays; their shapes are in docstrings."""

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
RecordArray = NDArray[np.void]              # of a structured dtype
Selection = slice | BoolArray | IntArray    # of rows
