"""Type of a path."""
import os

FilePath = str | bytes | os.PathLike
