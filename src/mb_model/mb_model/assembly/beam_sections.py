"""Where the cross sections of flexible bodies are: their axes as they are bent."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray
from mb_model.assembly.body_motion import body_motion


def section_poses(mechanism: Any, body: str, x: Sequence[float] | FloatArray, q: ArrayLike
                  ) -> tuple[FloatArray, FloatArray]:
    """Return places (p, 3) [m] and rotation matrices (p, 3, 3) of sections of a body in space.

    x: where they are along the undeformed beam [m]; q (n).  See space.parts.sections for the
    equations: sections are across the bent axis, turned about it by the twist.
    """
    q, beam = np.asarray(q, dtype=float), mechanism.bodies[body].beam
    frame = body_motion(mechanism, body, q)
    end = body_motion(mechanism, list(mechanism.bodies[body].sections)[1], q)
    way, (_, y, z) = (end.position - frame.position) / beam.shape.length, frame.rotation.T
    values = dict(zip(mechanism.bodies[body].modes, q[mechanism.places(
        mechanism.bodies[body].modes)], strict=True))
    bent, twist = np.zeros((beam.shape.modes, 3)), []
    for spring in beam.springs:
        value = values[f'{body}.{spring.name}']
        if spring.axis:
            bent[spring.number] += value * {'y': y, 'z': z}[spring.axis]
        else:
            twist.append(value)
    places, turns = [], []
    for at in x:
        along = way + beam.shape.slope(at) @ bent
        across = y + (beam.torsion.twist(at) @ twist if twist else 0.0) * z
        third = np.cross(along, across)
        axes = np.array([along, np.cross(third, along), third])
        places.append(frame.position + at * way + beam.shape.deflection(at) @ bent)
        turns.append((axes / np.linalg.norm(axes, axis=1)[:, None]).T)
    return np.array(places), np.array(turns)
