"""Tables of arrays: MATLAB's files, HDF5, NumPy's, Parquet and bags, as pandas frames."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import pandas as pd

from mb_ros.checked_stamps import REFUSE

Frame = tuple[pd.DataFrame, list[str]]      # and remarks, in words


def is_array_file(file: Path) -> bool:
    """Return whether a file has arrays or messages, not text."""
    return _reader_of(file, REFUSE) is not None


def array_frames(file: Path, stamps: str = REFUSE) -> Frame | None:
    """Return the frame of a file of arrays and remarks on it; None of any other file.

    stamps: one of POLICIES: what becomes of stamps in bags that no clock shows.

    Arrays are columns by their names, in structures behind a dot; the columns of a matrix are
    numbered from 1 on: `name.1`.  Raises OSError, ValueError.
    """
    reader = _reader_of(file, stamps)
    return reader(file) if reader else None


def _reader_of(file: Path, stamps: str) -> Callable[[Path], Frame] | None:
    """Return what reads a file of arrays, None for any other."""
    bag = partial(_bag, stamps=stamps)
    readers: dict[str, Callable[[Path], Frame]] = {
        '.mat': _mat, '.h5': _hdf5, '.hdf5': _hdf5, '.npz': _numpy, '.npy': _numpy,
        '.parquet': _parquet, **dict.fromkeys(('.mcap', '.db3', '.bag'), bag)}
    return bag if file.is_dir() else readers.get(file.suffix.lower())


def _bag(file: Path, stamps: str):
    from mb_sensors.imported.bag_tables import bag_frame  # imported when it is used
    return bag_frame(file, stamps)


def _mat(file: Path):
    from scipy.io import loadmat
    from scipy.io.matlab import MatReadError
    try:
        arrays = loadmat(file, simplify_cells=True)
    except NotImplementedError:             # version 7.3 is HDF5
        return _hdf5(file, transposed=True)
    except (MatReadError, TypeError, ValueError) as error:
        raise ValueError(f'not readable as a MATLAB file: {error}') from None
    return _frame({name: value for name, value in arrays.items() if not name.startswith('__')})


def _hdf5(file: Path, transposed: bool = False):
    try:
        import h5py
    except ImportError:
        raise ValueError('needs the package h5py: pip install h5py') from None
    arrays: dict[str, Any] = {}
    try:
        with h5py.File(file) as opened:
            def keep(name, item):
                if isinstance(item, h5py.Dataset) and not name.startswith('#'):
                    array = np.asarray(item[()])
                    arrays[name.replace('/', '.')] = array.T if transposed else array
            opened.visititems(keep)
    except OSError as error:
        raise ValueError(f'not readable as HDF5: {error}') from None
    return _frame(arrays)


def _numpy(file: Path):
    try:
        arrays = np.load(file, allow_pickle=False)
        return _frame(dict(arrays) if isinstance(arrays, Mapping) else {'': arrays})
    except (ValueError, EOFError, BadZipFile) as error:
        raise ValueError(f'not readable as arrays of NumPy: {error}') from None


def _parquet(file: Path):
    try:
        frame = pd.read_parquet(file)
    except ImportError:
        raise ValueError('needs the package pyarrow: pip install pyarrow') from None
    if frame.index.name is not None:
        frame = frame.reset_index()
    return frame.set_axis([str(name) for name in frame.columns], axis=1), []


def _frame(values: Mapping[str, Any]):
    """Return the frame of nested arrays, of the number of rows that most of them have."""
    columns = dict(_columns(values))
    lengths = Counter(len(column) for column in columns.values() if len(column) > 1)
    if not lengths:
        raise ValueError('no arrays of numbers with more than one row')
    rows, _ = lengths.most_common(1)[0]
    others = [f'{name} ({len(column)})' for name, column in columns.items() if len(column) != rows]
    return (pd.DataFrame({name: column for name, column in columns.items() if len(column) == rows}),
            [f'{rows} rows; left out, as it has another number of them: {", ".join(others)}']
            if others else [])


def _columns(values: Mapping[str, Any], before: str = '') -> Iterator[tuple[str, Any]]:
    """Yield (name, numbers (k)) of nested arrays."""
    for name, value in values.items():
        path = f'{before}.{name}' if before else name
        if isinstance(value, Mapping):
            yield from _columns(value, path)
            continue
        array = np.asarray(value)
        if array.dtype.names:
            yield from _columns({one: array[one] for one in array.dtype.names}, path)
        elif array.dtype.kind in 'biufM' and array.ndim <= 2:
            if (array.ndim == 2 and 1 in array.shape) or array.ndim < 2:
                yield path or '1', array.reshape(-1)
            else:
                yield from ((f'{path}.{k + 1}' if path else str(k + 1), array[:, k])
                            for k in range(array.shape[1]))
