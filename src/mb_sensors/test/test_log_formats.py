"""Logs in files of arrays: MATLAB's of both formats, HDF5, NumPy's, Parquet."""

import subprocess
import sys

import h5py
import numpy as np
import pandas as pd
import pytest
from scipy.io import savemat

from mb_sensors.imported.columns import read_columns
from mb_sensors.imported.log import read_log
from mb_sensors.imported.table import LogError, read_tables
from mb_sensors.imported.text_form import TextSettings

T = 5.0 + 0.001 * np.arange(50)
Q = np.sin(T)
XYZ = np.arange(150, dtype=float).reshape(50, 3)


def table_of(file):
    """Return {name: numbers} of a file, and remarks."""
    table = read_tables([file], TextSettings())
    return {name: np.asarray(cells) for name, cells in table.frame.items()}, table.remarks


def test_matlab_files_of_version_5(tmp_path):
    """Rows and columns, structures, matrices; scalars and texts are left out."""
    file = tmp_path / 'log.mat'
    savemat(file, {'t': T[np.newaxis], 'log': {'q': Q[:, np.newaxis], 'a': XYZ}, 'gain': 35.15,
                   'note': 'text', 'flag': np.arange(50, dtype=np.uint8)})
    found, remarks = table_of(file)
    assert set(found) == {'t', 'log.q', 'log.a.1', 'log.a.2', 'log.a.3', 'flag'}
    np.testing.assert_array_equal(found['t'], T)
    np.testing.assert_array_equal(found['log.a.2'], XYZ[:, 1])
    assert remarks == ['50 rows; left out, as it has another number of them: gain (1)']


@pytest.mark.parametrize(('name', 'transposed'), [('log.mat', True), ('log.h5', False)])
def test_matlab_files_of_version_7_and_hdf5(tmp_path, name, transposed):
    """MATLAB writes its arrays transposed, behind a block of its own."""
    file = tmp_path / name
    with h5py.File(file, 'w', userblock_size=512 if transposed else 0) as opened:
        opened['t'] = T[np.newaxis] if transposed else T
        opened['log/a'] = XYZ.T if transposed else XYZ
        opened['log/note'] = 'text'
    if transposed:
        with file.open('r+b') as opened:        # its text, version 2.0, its byte order
            opened.write(b'MATLAB 7.3 MAT-file'.ljust(124) + b'\x00\x02IM')
    found, _ = table_of(file)
    np.testing.assert_array_equal(found['t'], T)
    np.testing.assert_array_equal(found['log.a.3'], XYZ[:, 2])


def test_files_of_numpy(tmp_path):
    """Named arrays, one without names, and structured ones."""
    np.savez(tmp_path / 'log.npz', t=T, a=XYZ)
    np.save(tmp_path / 'bare.npy', np.column_stack([T, Q]))
    structured = np.zeros(50, dtype=[('t', float), ('a', float, 3)])
    structured['t'], structured['a'] = T, XYZ
    np.save(tmp_path / 'structured.npy', structured)
    assert list(table_of(tmp_path / 'log.npz')[0]) == ['t', 'a.1', 'a.2', 'a.3']
    np.testing.assert_array_equal(table_of(tmp_path / 'bare.npy')[0]['2'], Q)
    found, _ = table_of(tmp_path / 'structured.npy')
    np.testing.assert_array_equal(found['a.3'], XYZ[:, 2])


def test_pickled_arrays_are_refused(tmp_path):
    np.save(tmp_path / 'log.npy', np.array([{'t': 1}], dtype=object), allow_pickle=True)
    with pytest.raises(LogError, match='not readable as arrays of NumPy'):
        table_of(tmp_path / 'log.npy')


@pytest.mark.parametrize('name', ['log.mat', 'log.h5', 'log.npz', 'log.npy', 'log.parquet'])
@pytest.mark.parametrize('content', [b'', b'x', b'no arrays at all' * 100])
def test_other_files_of_these_names_are_refused_in_words(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(LogError, match=str(tmp_path / name)) as error:
        table_of(tmp_path / name)
    assert '\n' not in str(error.value)


@pytest.mark.parametrize('dated', [False, True])
def test_parquet_is_read_with_its_dates(tmp_path, dated):
    frame = pd.DataFrame({'angle': Q, 'other': ['x'] * 50}, index=pd.Index(
        pd.to_datetime(T, unit='s', utc=True) if dated else T, name='t'))
    frame.to_parquet(tmp_path / 'log.parquet')
    (tmp_path / 'columns.yaml').write_text(
        'mechanism: four_bar\ntime: {column: t}\nsensors: {crank_encoder: angle}\n')
    log = read_log(tmp_path / 'log.parquet', read_columns(tmp_path / 'columns.yaml'))
    assert log.stamps.tolist() == [5 * 10 ** 9 + k * 10 ** 6 for k in range(50)]
    np.testing.assert_array_equal(log.values[:, 0], Q)


@pytest.mark.parametrize(('name', 'package'), [('log.parquet', 'pyarrow'), ('log.h5', 'h5py')])
def test_a_package_that_is_missing_is_named(tmp_path, name, package):
    (tmp_path / name).write_bytes(b'')
    done = subprocess.run([sys.executable, '-c', (
        f'import sys; sys.modules[{package!r}] = None\n'
        'from mb_sensors.imported.table import read_tables, LogError\n'
        'from mb_sensors.imported.text_form import TextSettings\n'
        f'try: read_tables([{str(tmp_path / name)!r}], TextSettings())\n'
        'except LogError as error: print(error)')], capture_output=True, text=True, check=True)
    assert done.stdout == f'{tmp_path / name}: needs the package {package}: pip install {package}\n'
