"""Messages of states and of vectors, and the names of their types."""

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from geometry_msgs.msg import Point, Pose, Quaternion
import numpy as np
from numpy.typing import ArrayLike, NDArray
from sensor_msgs.msg import JointState

from mb_interfaces.msg import HydraulicState, MechanismState
from mb_ros.stamps import set_stamp, stamp

ARRAYS = ('z', 'zd', 'zdd', 'q', 'qd', 'qdd', 'covariance', 'generalized_force',
          'generalized_force_deviation')


def type_name(kind: Any) -> str:
    """Return the name of a class of messages or services as ROS writes it: package/msg/Name."""
    package, folder, *_ = kind.__module__.split('.')
    return f'{package}/{folder}/{kind.__name__}'


def xyz(vector: Iterable[float]) -> dict[str, float]:
    """Return the fields x, y, z of a vector (3), or of one in the plane (2)."""
    return {axis: float(value) for axis, value in zip('xyz', (*vector, 0.0), strict=False)}


def pose_of(position: Iterable[float], quaternion: Iterable[float]) -> Pose:
    """Return the Pose of a frame with its origin at a position (3), turned by wxyz (4)."""
    w, x, y, z = map(float, quaternion)
    return Pose(position=Point(**xyz(position)), orientation=Quaternion(x=x, y=y, z=z, w=w))


def doubles(values: ArrayLike) -> 'array[float]':
    """Return numbers as the array type of float64[] fields."""
    return array('d', np.asarray(values, np.float64).tobytes())


def mechanism_state(mechanism: Any, nanoseconds: int, **arrays: ArrayLike) -> MechanismState:
    """Return a MechanismState of a mechanism (with name, independent, coordinates) at a stamp.

    arrays: any of z, zd, zdd (g), q, qd, qdd (n), covariance (k x k), generalized_force and its
    deviation (g); None and what is left out stay empty.
    """
    message = MechanismState(
        mechanism=mechanism.name, independent=list(mechanism.independent),
        coordinates=list(mechanism.coordinates))
    message.header.frame_id = mechanism.name
    return refilled(message, nanoseconds, **arrays)


def refilled(message: MechanismState, nanoseconds: int, **arrays: ArrayLike) -> MechanismState:
    """Return the same MechanismState with another stamp and other arrays, see mechanism_state."""
    set_stamp(message.header.stamp, nanoseconds)
    for name, values in arrays.items():
        if name not in ARRAYS:
            raise TypeError(f'MechanismState has no array {name}, only {", ".join(ARRAYS)}')
        if values is not None:
            setattr(message, name, doubles(values))
    return message


def state_arrays(message: MechanismState) -> dict[str, NDArray[np.float64]]:
    """Return the arrays of a MechanismState by name, the covariance as a square matrix."""
    arrays = {name: np.array(getattr(message, name), dtype=np.float64) for name in ARRAYS}
    size = int(np.sqrt(len(arrays['covariance'])))
    arrays['covariance'] = arrays['covariance'][:size * size].reshape(size, size)
    return arrays


def hydraulic_state(mechanism: Any, nanoseconds: int, p: ArrayLike, U: ArrayLike, force: ArrayLike,
                    covariance: ArrayLike | None = None, distrust: str = '',
                    supply_p: ArrayLike | None = None) -> HydraulicState:
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


def joint_state(nanoseconds: int, names: Sequence[str], positions: Sequence[float],
                velocities: Sequence[float] = ()) -> JointState:
    """Return a JointState at a stamp; velocities may be left out."""
    message = JointState(name=list(names), position=doubles(positions))
    if len(velocities):
        message.velocity = doubles(velocities)
    message.header.stamp = stamp(nanoseconds)
    return message
