"""Smoothed motions as files."""

from pathlib import Path

import numpy as np
from rosbags.rosbag2 import Writer

from mb_model.simulation.bag import (
    FORMAT,
    STATE_TYPE,
    STORAGES,
    message_types,
    reliable,
    state_message,
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
    np.savez(path, **arrays, **{f'bias.{name}': bias for name, bias in smoothed.biases.items()})


def _save_bag(smoothed, mechanism, folder, storage):
    """Write a new bag."""
    if storage not in STORAGES:
        raise ValueError(f'storage: {storage}: unknown, expected one of {", ".join(STORAGES)}')
    if Path(folder).exists():
        raise FileExistsError(f'{folder}: already exists')
    types = message_types()
    with Writer(folder, version=FORMAT, storage_plugin=STORAGES[storage]) as writer:
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
