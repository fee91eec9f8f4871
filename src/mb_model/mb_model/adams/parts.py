"""Parts and markers of an .adm file: bodies, and frames on them.

A part has a frame of its own (QG, REULER); markers are given in it (QP, REULER).  Euler angles are
3-1-3, about the moved axes.  Moments of inertia (IP) are those in the axes of the IM marker about
its origin, without it of the CM marker; products of inertia are positive integrals, so that they
stand in the matrix with a minus.  Initial velocities are of the CM marker, V in global axes
and W in its own (Adams Solver, statement PART).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_model.adams.statements import Statement
from mb_model.arrays import FloatArray
from mb_model.space.body import Pose
from mb_model.space.rotation import rotation, rotation_vector


@dataclass(frozen=True)
class Marker:
    """A frame on a body: its origin (3) and its axes as columns (3, 3), in the body's frame."""

    body: str
    at: FloatArray
    turn: FloatArray


@dataclass(frozen=True)
class Part:
    """A moving part: its entry of `bodies`, its pose, its CM marker.

    velocity, angular_velocity: of that marker at the start in global axes (3), where not given 0.
    """

    entry: dict[str, Any]
    pose: Pose
    centre: Marker
    velocity: FloatArray
    angular_velocity: FloatArray


def euler_313(angles: Sequence[float]) -> FloatArray:
    """Return the rotation matrix of body-fixed 3-1-3 angles (3) [rad]."""
    psi, theta, phi = angles
    return (rotation((0.0, 0.0, psi)) @ rotation((theta, 0.0, 0.0)) @ rotation((0.0, 0.0, phi)))


def read_markers(statements: list[Statement], names: dict[int, str]) -> dict[int, Marker]:
    """Return number -> Marker; names: of parts in the mechanism file."""
    markers = {}
    for one in statements:
        if one.kind == 'MARKER':
            one.allow('PART', 'QP', 'REULER')
            part = one.identifier('PART')
            if part not in names:
                raise one.fail(f'PART = {part}: there is no such part')
            markers[one.number] = Marker(
                names[part],
                np.array(one.numbers('QP', 3, default=(0.0, 0.0, 0.0))),
                euler_313(one.numbers('REULER', 3, default=(0.0, 0.0, 0.0))))
    return markers


def marker_of(statement: Statement, key: str, markers: dict[int, Marker]) -> Marker:
    """Return the marker that an argument names; raises AdamsError."""
    number = statement.identifier(key)
    if number not in markers:
        raise statement.fail(f'{key} = {number}: there is no such marker')
    return markers[number]


def read_part(one: Statement, markers: dict[int, Marker]) -> Part:
    """Return a moving Part; raises AdamsError."""
    speeds = [f'{kind}{axis}' for kind in 'VW' for axis in 'XYZ']
    one.allow('MASS', 'CM', 'IM', 'IP', 'QG', 'REULER', *speeds)
    name, mass = f'part{one.number}', one.numbers('MASS', 1)[0]
    centre = marker_of(one, 'CM', markers)
    inertia_marker = marker_of(one, 'IM', markers) if 'IM' in one.values else centre
    if {centre.body, inertia_marker.body} != {name}:
        raise one.fail('CM and IM must be markers of the part')
    arm = inertia_marker.at - centre.at
    inertia = (inertia_marker.turn @ _inertia(one.numbers('IP', 3, 6)) @ inertia_marker.turn.T
               - mass * (arm @ arm * np.eye(3) - np.outer(arm, arm)))
    pose = Pose(np.array(one.numbers('QG', 3, default=(0.0, 0.0, 0.0))),
                euler_313(one.numbers('REULER', 3, default=(0.0, 0.0, 0.0))))
    velocity, turning = np.array([one.numbers(key, 1, default=(0.0,))[0]
                                  for key in speeds]).reshape(2, 3)
    moments = [float(inertia[k]) for k in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    entry = {'mass': mass, 'centre_of_gravity': centre.at.tolist(), 'inertia': moments,
             'pose': {'at': pose.at.tolist(), 'turn': rotation_vector(pose.turn).tolist()}}
    return Part(entry, pose, centre, velocity, pose.turn @ centre.turn @ turning)


def _inertia(numbers: Sequence[float]) -> FloatArray:
    """Return the matrix (3, 3) of xx, yy, zz and perhaps xy, xz, yz."""
    matrix = np.diag(numbers[:3])
    for (row, column), value in zip(((0, 1), (0, 2), (1, 2)), numbers[3:], strict=False):
        matrix[row, column] = matrix[column, row] = -value
    return matrix
