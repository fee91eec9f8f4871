"""Strain gauge: how much the surface of a flexible body is stretched by bending.

Of a fibre at the distance y from the neutral one: -y sum_k phi_k''(x) q_k, positive in tension.
In space bending along y and z adds up to e; torsion does not stretch fibres along the axis, but
those at an angle a to it, on the surface of a round section of radius r (Mohr's circle, e.g. Gere
and Timoshenko 1997, Sec. 7.7):

    e (cos^2 a - nu sin^2 a) + r sum_k psi_k'(x) tau_k sin a cos a
"""

from math import cos, hypot, sin

import numpy as np

from mb_model.jit import kernel
from mb_sensors.kind_parts.channel import vectors
from mb_sensors.kind_parts.joint_states import JointStateMessage
from mb_sensors.kind_parts.sensor_kind import Measurement, SensorKind, number

_BODY = {'type': 'string', 'title': 'the name of a body',
         'description': 'Flexible body that it sits on.'}
_AT = {'type': 'array', 'title': 'an offset [x, y]', 'minItems': 2, 'maxItems': 2,
       'items': number('Along the body and across it, from the neutral fibre [m].'),
       'description': 'Where it sits in the frame of the body: x along the beam, y from its '
                      'neutral fibre [m].'}
_AT_IN_SPACE = {'type': 'array', 'title': 'an offset [x, y, z]', 'minItems': 3, 'maxItems': 3,
                'items': number('Along the body and across it, from its axis [m].'),
                'description': 'Where it sits in the frame of the body: x along the beam, y and z '
                               'from its axis [m].'}
_ANGLE = number('From the x axis to the direction along which it reads, on the surface, the way '
                'that a section turns when twist grows: pi / 4 reads torsion best [rad].',
                default=0.0)
_POISSON = number("Poisson's ratio, by which bending shortens the surface across the axis.",
                  default=0.3)


@kernel
def strain(channel, q, qd, qdd):
    """Return the sum of modal coordinates by their strains."""
    total = 0.0
    for t in range(channel.vector_terms[0]):
        total += channel.vector_weight[0, t] * q[channel.vector_node[0, t]]
    return total


@kernel
def strain_jacobian(channel, q, qd, qdd, h_q, h_qd, h_qdd):
    """Write its derivatives by q (n_total)."""
    for t in range(channel.vector_terms[0]):
        h_q[channel.vector_node[0, t]] = channel.vector_weight[0, t]


def _read(mount):
    body = mount.flexible_body('body')
    x, y = mount.point_on_beam('at', body)
    return body.name, {'': vectors(tuple(
        (mount.index_of(mode), -y * float(share))
        for mode, share in zip(body.modes, body.beam.curvature(x), strict=True)))}


def _read_in_space(mount):
    body = mount.flexible_body('body')
    angle, poisson, beam = mount.number('angle'), mount.number('poisson'), body.beam
    twists = beam.torsion is not None and sin(angle) != 0.0
    x, *across = mount.point_on_beam('at', body, twists)
    bending = -(cos(angle) ** 2 - poisson * sin(angle) ** 2) * beam.shape.curvature(x)
    torsion = (hypot(*across) * sin(angle) * cos(angle) * beam.torsion.rate(x) if twists
               else np.zeros(len(beam.springs)))
    return body.name, {'': vectors(tuple(
        (mount.index_of(mode), float(
            across['yz'.index(spring.axis)] * bending[spring.number] if spring.axis
            else torsion[spring.number]))
        for mode, spring in zip(body.modes, beam.springs, strict=True) if spring.axis or twists))}


KIND = SensorKind(
    'strain_gauge', unit='1',
    measures='Strain of a flexible body by bending, in space by torsion too; positive in tension',
    read=_read, keys={'body': _BODY, 'at': _AT}, sits_on='body',
    message=JointStateMessage('position'), value=strain, jacobian=strain_jacobian,
    space=Measurement({'body': _BODY, 'at': _AT_IN_SPACE, 'angle': _ANGLE, 'poisson': _POISSON},
                      _read_in_space, strain, strain_jacobian))
