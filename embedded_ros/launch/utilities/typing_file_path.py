"""Type of a path."""
import os
from typing import Union

FilePath = Union[str, bytes, os.PathLike]
