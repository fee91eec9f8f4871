"""Smoothed motions as files."""

from pathlib import Path

import numpy as np

from mb_model.file_api import (
    STATE_TYPE,
    message_types,
    new_bag,
    reliable,
    state_message,
    whole_file,
)

TOPIC = '/smoother/state'
_MOTION, _DEPENDENT = ('z', 'zd', 'zdd'), ('q', 'qd', 'qdd')


def save(smoothed, mechanism, path, storage='mcap'):
    """Save a Smoothed motion: path ends in .npz, or is the folder of a new bag.

    The bag holds a MechanismState with its covariance at every stamp, on /smoother/state.
    Raises OSError, ValueError.
    """
    if Path(path).suffix == '.npz':
        _save_arrays(smoothed, mechanism, path)
    else:
        _save_bag(smoothed, mechanism, path, storage)


def _save_arrays(smoothed, mechanism, path):
    """Write stamps [ns], z ... qdd, covariance, names; forces and biases where there are any."""
    arrays = {'stamps': smoothed.stamps, 'covariance': smoothed.covariance,
              'independent': mechanism.independent, 'coordinates': mechanism.coordinates}
    arrays |= {name: getattr(smoothed.motion, name) for name in _MOTION}
    arrays |= {name: getattr(smoothed, name) for name in _DEPENDENT}
    if smoothed.forces is not None:
        arrays['forces'] = smoothed.forces
    with whole_file(path) as part:
        np.savez(part, **arrays, **{
            f'bias.{name}': bias for name, bias in smoothed.biases.items()})


def _save_bag(smoothed, mechanism, folder, storage):
    """Write a new bag."""
    types = message_types()
    with new_bag(folder, storage) as writer:
        topic = writer.add_connection(TOPIC, STATE_TYPE, typestore=types,
                                      offered_qos_profiles=[reliable(1000)])
        for k, stamp in enumerate(smoothed.stamps.tolist()):
            arrays = {name: getattr(smoothed.motion, name)[k] for name in _MOTION}
            arrays |= {name: getattr(smoothed, name)[k] for name in _DEPENDENT}
            if smoothed.forces is not None:
                arrays['generalized_force'] = smoothed.forces[k]
            message = state_message(types, mechanism, stamp,
                                    covariance=smoothed.covariance[k].ravel(), **arrays)
            writer.write(topic, stamp, types.serialize_cdr(message, STATE_TYPE))
