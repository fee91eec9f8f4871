"""Every formulation of the equations of motion by its number: forward, inverse, multipliers."""

from numba import int64
import numpy as np

from mb_model.formulations.formulation import Integrates, nothing_to_choose
from mb_model.integration.registry import FORMULATIONS, kernels
from mb_model.jit import also, by_number, kernel, separate
from mb_model.kernels.efforts import pass_through_drives
from mb_model.kernels.sparse_dynamics import not_offered
from mb_model.kernels.storage import by_storage
from mb_model.record import MODEL, WORK
from mb_model.record.sparse import SPARSE_MODEL, SPARSE_WORK

_found, _chosen, _inverse, _multipliers = (by_number(kernels(name)) for name in (
    'accelerations', 'choose', 'inverse', 'multipliers'))
_found_sparse = by_number(kernels('accelerations', not_offered))
_chosen_sparse = by_number(kernels('choose', nothing_to_choose))
_INTEGRATES = np.array([kind.integrates for kind in FORMULATIONS.values()])
_COORDINATES, _JOINTS = int(Integrates.COORDINATES), int(Integrates.JOINTS)


@kernel
def integrates_all(formulation):
    """Return whether all coordinates are integrated."""
    return _INTEGRATES[formulation] == _COORDINATES


@kernel
def integrates_joints(formulation):
    """Return whether joint coordinates s are integrated."""
    return _INTEGRATES[formulation] == _JOINTS


@kernel
def _choose(model, work, formulation):
    return _chosen(formulation, model, work)


@kernel
def _choose_sparse(model, work, formulation):
    return _chosen_sparse(formulation, model, work)


choose_coordinates = by_storage(_choose, _choose_sparse)


@kernel
def _find(model, work, formulation):
    return _found(formulation, model, work)


@kernel
def _find_sparse(model, work, formulation):
    return _found_sparse(formulation, model, work)


_accelerations = by_storage(_find, _find_sparse)


@also(SPARSE_MODEL, SPARSE_WORK, int64)
@separate(MODEL, WORK, int64)
def accelerations(model, work, formulation):
    """At work.q, qd (of the integrated coordinates), forces: write qdd, z, zd, zdd, and q, qd.

    A formulation in joint coordinates has s, sd, sdd instead, and writes the others from them.
    Returns False where they cannot be found; work is not to be relied on then.
    """
    return _accelerations(model, work, formulation)


@kernel
def balance(model, work, formulation):
    """Accelerations, and the multipliers that belong to them: M qdd + phi_q^T lam = Q."""
    if not accelerations(model, work, formulation):
        return False
    _multipliers(formulation, model, work)
    return True


@kernel
def inverse_dynamics(model, work, formulation):
    """At work.q (solved), zd, zdd: write work.forces (g), what the motion needs beside the model's.

    Returns False at a singular position.
    """
    if not _inverse(formulation, model, work):
        return False
    pass_through_drives(model, work)
    return True
