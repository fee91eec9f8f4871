"""Runs in files of numpy."""

import zipfile

import numpy as np

from mb_model.files.whole_output import whole_file
from mb_model.simulation.arrays import MOTION, motion_sizes, oil_arguments, oil_arrays
from mb_model.simulation.text import read_run_text, run_text


def write_npz(run, path):
    """Write a Run into one file, whatever was there."""
    text = run_text(run.mechanism, run.formulation, run.integrator, run.settings, run.dt,
                    run.error)
    with whole_file(path) as part:
        np.savez(part, description=np.array(text),
                 **{name: getattr(run, name) for name in MOTION}, **oil_arrays(run))


def read_npz(path):
    """Return what the Run of a file is made of, by name; raises OSError, ValueError."""
    try:
        with np.load(path) as archive:
            found = {name: archive[name] for name in (*MOTION, 'description')}
            more = {name: archive[name] for name in archive.files if name not in found}
    except (KeyError, ValueError, zipfile.BadZipFile, EOFError, AttributeError, TypeError) as error:
        raise ValueError(f'{path}: not a saved run ({error})') from None
    how, _ = read_run_text(str(found.pop('description')), f'{path}: description')
    mechanism, count = how['mechanism'], len(found['t'])
    for name, size in motion_sizes(mechanism).items():
        if found[name].shape != (count, size):
            raise ValueError(f'{path}: {name}: shape {found[name].shape} must be {(count, size)}')
    return how | found | oil_arguments(path, mechanism, count, more)
