"""The reader of MJCF, MuJoCo's description: its compiler reads, and what it says becomes a Machine.

Defaults, classes, angles, frames and inertias of shapes are MuJoCo's own.
"""

from mb_import.readers.mjcf.reader import read

__all__ = ['read']
