"""Runs in files of numpy."""

import zipfile

import numpy as np

from mb_model.simulation.run import STATE, Run
from mb_model.simulation.text import read_run_text, run_text
from mb_model.whole_output import whole_file

_ARRAYS = ('t', *STATE, 'forces')


def write_npz(run, path):
    """Write a Run into one file, whatever was there."""
    text = run_text(run.mechanism, run.formulation, run.integrator, run.settings, run.dt,
                    run.error)
    with whole_file(path) as part:
        np.savez(part, description=np.array(text),
                 **{name: getattr(run, name) for name in _ARRAYS}, **run.more_arrays())


def read_npz(path):
    """Return the Run of a file; raises OSError, ValueError."""
    try:
        with np.load(path) as archive:
            found = {name: archive[name] for name in (*_ARRAYS, 'description')}
            more = {name: archive[name] for name in archive.files if name not in found}
    except (KeyError, ValueError, zipfile.BadZipFile, EOFError, AttributeError, TypeError) as error:
        raise ValueError(f'{path}: not a saved run ({error})') from None
    how, _ = read_run_text(str(found.pop('description')), f'{path}: description')
    mechanism = how['mechanism']
    sizes = {name: (mechanism.g if name in ('z', 'zd', 'zdd', 'forces') else mechanism.n)
             for name in _ARRAYS[1:]}
    for name, size in sizes.items():
        if found[name].shape != (len(found['t']), size):
            raise ValueError(f'{path}: {name}: shape {found[name].shape} must be '
                             f'{(len(found["t"]), size)}')
    if not more:
        return Run(**how, **found)
    # Imported here: most runs have no oil.
    from mb_model.hydraulics.run import HydraulicRun
    return HydraulicRun.from_arrays(path, how | found, more)
