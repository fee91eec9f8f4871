"""Every formulation of the equations of motion by its number: forward, inverse, multipliers."""

from numba import int64
import numpy as np

from mb_model.formulations.formulation import Integrates, nothing_to_choose
from mb_model.integration.registry import FORMULATIONS, kernels
from mb_model.jit import also, by_number, entry, kernel, separate
from mb_model.kernels import sparse_dynamics
from mb_model.kernels.efforts import pass_through_drives
from mb_model.kernels.step_state import begin_renewal, end_renewal
from mb_model.kernels.storage import by_storage
from mb_model.record import MODEL, WORK
from mb_model.record.sparse import SPARSE_MODEL, SPARSE_WORK

_accelerate, _choose, _inverse, _multipliers = (by_number(kernels(name)) for name in (
    'accelerations', 'choose', 'inverse', 'multipliers'))
_accelerate_sparse = by_number(kernels('accelerations', sparse_dynamics.not_offered))
_choose_sparse = by_number(kernels('choose', nothing_to_choose))
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
def _choose_full(model, work, formulation):
    return _choose(formulation, model, work)


@kernel
def _choose_without_zeros(model, work, formulation):
    return _choose_sparse(formulation, model, work)


@kernel
def _accelerate_full(model, work, formulation):
    return _accelerate(formulation, model, work)


@kernel
def _accelerate_without_zeros(model, work, formulation):
    return _accelerate_sparse(formulation, model, work)


choose_coordinates = by_storage(_choose_full, _choose_without_zeros)
_accelerations = by_storage(_accelerate_full, _accelerate_without_zeros)


@also(SPARSE_MODEL, SPARSE_WORK, int64)
@separate(MODEL, WORK, int64)
def accelerations(model, work, formulation):
    """At work.q, qd (of the integrated coordinates), forces: write qdd, z, zd, zdd, and q, qd.

    A formulation in joint coordinates has s, sd, sdd instead, and writes the others from them.
    Returns False where they cannot be solved for; work is not to be relied on then.
    """
    return _accelerations(model, work, formulation)


@kernel
def _balance_full(model, work, formulation):
    if not accelerations(model, work, formulation):
        return False
    _multipliers(formulation, model, work)
    return True


@kernel
def _inverse_full(model, work, formulation):
    if not _inverse(formulation, model, work):
        return False
    pass_through_drives(model, work)
    return True


_balance = by_storage(_balance_full, sparse_dynamics.balance)
_inverse_dynamics = by_storage(_inverse_full, sparse_dynamics.inverse_dynamics)


@entry
def balance(models, works, formulation):
    """Accelerations, and the multipliers that belong to them: M qdd + phi_q^T lam = Q."""
    return _balance(models[0], works[0], formulation)


@entry
def inverse_dynamics(models, works, formulation):
    """At work.q (solved), zd, zdd: write work.forces (g), what the motion needs beside the model's.

    Returns False at a singular position.
    """
    return _inverse_dynamics(models[0], works[0], formulation)


@entry
def renew(models, works, formulation):
    """Find the accelerations of the present state anew if the forces from outside have changed.

    Returns False, the state unchanged, where they cannot be solved for.
    """
    model, work = models[0], works[0]
    return not begin_renewal(model, work) or end_renewal(
        model, work, accelerations(model, work, formulation))


@entry
def start(models, works, formulation):
    """At what is integrated: choose coordinates, find the accelerations."""
    return (choose_coordinates(models[0], works[0], formulation)
            and accelerations(models[0], works[0], formulation))
