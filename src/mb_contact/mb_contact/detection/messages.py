"""States and torques out of messages, those of rclpy or of a bag that is read without ROS."""

from math import isqrt

import numpy as np

from mb_contact.detection.stream import State
from mb_model.simulation.bag import stamp_of

STATE, STATE_TYPE = 'estimator/state', 'mb_interfaces/msg/MechanismState'
TORQUES, TORQUES_TYPE = 'prototype/drive_torques', 'sensor_msgs/msg/JointState'
CONTACTS = '/prototype/contacts'       # of a simulated machine


def state_of(mechanism, message):
    """Return the State of a MechanismState; raises ValueError if it is not of the mechanism."""
    if tuple(message.independent) != mechanism.independent:
        raise ValueError(f'independent: [{", ".join(message.independent)}] must be '
                         f'[{", ".join(mechanism.independent)}], as in {mechanism.name}')
    covariance = np.array(message.covariance)
    size = isqrt(covariance.size)
    if size * size != covariance.size:
        raise ValueError(f'covariance: {covariance.size} numbers are no square')
    q = np.array(message.q)
    return State(stamp_of(message), np.array(message.z), np.array(message.zd),
                 np.array(message.zdd), covariance.reshape(size, size),
                 q if q.size == mechanism.n else None)


def torques_of(drives, message):
    """Return (stamp [ns], torques (d)) of a JointState with efforts; raises ValueError."""
    efforts = dict(zip(message.name, message.effort, strict=False))
    missing = [name for name in drives if name not in efforts]
    if missing or len(message.name) != len(message.effort):
        given = ', '.join(message.name) or 'no name'
        raise ValueError(f'{len(message.effort)} efforts of {given}, expected those of '
                         f'{", ".join(drives)}')
    return stamp_of(message), np.array([efforts[name] for name in drives])
