"""Messages of states and their arrays."""

from array import array

import numpy as np
from sensor_msgs.msg import JointState

from mb_interfaces.msg import HydraulicState, MechanismState
from mb_ros.stamps import set_stamp, stamp

ARRAYS = ('z', 'zd', 'zdd', 'q', 'qd', 'qdd', 'covariance', 'generalized_force',
          'generalized_force_deviation')


def doubles(values):
    """Return numbers as the array type of float64[] fields."""
    return array('d', np.asarray(values, np.float64).tobytes())


def mechanism_state(mechanism, nanoseconds, **arrays):
    """Return a MechanismState of a mechanism (with name, independent, coordinates) at a stamp.

    arrays: any of z, zd, zdd (g), q, qd, qdd (n), covariance (k x k), generalized_force and its
    deviation (g); None and what is left out stay empty.
    """
    message = MechanismState(
        mechanism=mechanism.name, independent=list(mechanism.independent),
        coordinates=list(mechanism.coordinates))
    message.header.frame_id = mechanism.name
    return refilled(message, nanoseconds, **arrays)


def refilled(message, nanoseconds, **arrays):
    """Return the same MechanismState with another stamp and other arrays, see mechanism_state."""
    set_stamp(message.header.stamp, nanoseconds)
    for name, values in arrays.items():
        if name not in ARRAYS:
            raise TypeError(f'MechanismState has no array {name}, only {", ".join(ARRAYS)}')
        if values is not None:
            setattr(message, name, doubles(values))
    return message


def state_arrays(message):
    """Return the arrays of a MechanismState by name, the covariance as a square matrix."""
    arrays = {name: np.array(getattr(message, name), dtype=np.float64) for name in ARRAYS}
    size = int(np.sqrt(len(arrays['covariance'])))
    arrays['covariance'] = arrays['covariance'][:size * size].reshape(size, size)
    return arrays


def hydraulic_state(mechanism, nanoseconds, p, U, force, covariance=None, distrust='',
                    supply_p=None):
    """Return a HydraulicState of a mechanism with a circuit at a stamp.

    p: pressures [Pa] (v); U: spools (u); force: of cylinders [N] (c); covariance: of z, zd, zdd,
    p and U, square, or None; distrust: why not to rely on them, in words; supply_p: pressures of
    supplies [Pa] (w), or None.
    """
    circuit = mechanism.circuit
    message = HydraulicState(
        mechanism=mechanism.name, volume=list(circuit.volumes), pressure=doubles(p),
        valve=list(circuit.valves), spool=doubles(U), cylinder=list(circuit.cylinders),
        force=doubles(force), distrust=distrust)
    message.header.stamp = stamp(nanoseconds)
    message.header.frame_id = mechanism.name
    if covariance is not None:
        message.covariance = doubles(covariance)
    if supply_p is not None:
        message.supply, message.supply_pressure = list(circuit.supplies), doubles(supply_p)
    return message


def joint_state(nanoseconds, names, positions, velocities=()):
    """Return a JointState at a stamp; velocities may be left out."""
    message = JointState(name=list(names), position=doubles(positions))
    if len(velocities):
        message.velocity = doubles(velocities)
    message.header.stamp = stamp(nanoseconds)
    return message
