"""The section `bodies` of a file with `dimension: 3`."""

import numpy as np

from mb_model.mechanism_file.spatial_flexible import read_flexible_body
from mb_model.space.body import GROUND, Pose, SpatialBody
from mb_model.space.rotation import of_roll_pitch_yaw, rotation
from mb_model.space.shape import read_solid

_TRIANGLE = 1e-9        # share by which a principal moment may exceed the sum of the others


def ground_body(points):
    """Return the ground as a body with points, which has no mass."""
    return SpatialBody(GROUND, points, 0.0, (0.0, 0.0, 0.0), np.zeros((3, 3)))


def read_body(entries, name, value):
    """Return the SpatialBody of an entry that conforms to its schema; raises MechanismError."""
    path = f'bodies.{name}'
    if name == GROUND:
        entries.fail(path, 'is the name of what does not move, its points are in ground:')
    if 'flexible' in value:
        return read_flexible_body(entries, name, value, _pose(entries, path, value))
    shapes = tuple(read_solid(entries, f'{path}.shapes[{k}]', shape, value['points'], rotation)
                   for k, shape in enumerate(value['shapes']))
    centre, inertia = _mass_properties(entries, path, value, shapes)
    if value['slender']:
        _check_line(entries, path, value['points'], centre)
        _check_across(entries, path, inertia)
    return SpatialBody(name, value['points'], value['mass'], centre, inertia, value['slender'],
                       _pose(entries, path, value), shapes, 'inertia' not in value,
                       value['variable_places'])


def _pose(entries, path, value):
    """Return the Pose of a body, None if it is not given."""
    if 'pose' not in value:
        return None
    pose = value['pose']
    if 'turn' in pose and 'rpy' in pose:
        entries.fail(f'{path}.pose', 'must have one of turn and rpy')
    turn = of_roll_pitch_yaw(pose['rpy']) if 'rpy' in pose else rotation(
        pose.get('turn', (0.0, 0.0, 0.0)))
    return Pose(np.array(pose['at']), turn)


def _mass_properties(entries, path, value, shapes):
    """Return (centre of gravity (3), inertia (3, 3) about it), given or from the shapes."""
    mass = value['mass']
    volumes = np.array([_volume(shape) for shape in shapes])
    shares = volumes / volumes.sum() if len(shapes) else volumes
    if 'centre_of_gravity' in value:
        centre = np.array(value['centre_of_gravity'])
    elif len(shapes):
        centre = sum(share * shape.centre for share, shape in zip(shares, shapes, strict=True))
    else:
        entries.fail(f'{path}.centre_of_gravity', 'missing: there are no shapes that give it')
    if 'inertia' in value:
        return tuple(centre.tolist()), _given_inertia(entries, f'{path}.inertia', value['inertia'])
    if not len(shapes):
        entries.fail(f'{path}.inertia', 'missing: there are no shapes that give it')
    inertia = np.zeros((3, 3))
    for share, shape in zip(shares, shapes, strict=True):
        arm = shape.centre - centre
        inertia += mass * share * (shape.unit_inertia + arm @ arm * np.eye(3) - np.outer(arm, arm))
    return tuple(centre.tolist()), inertia


def _volume(shape):
    """Return what the mass of a shape is in proportion to; of a rod its length."""
    if shape.kind == 'box':
        return float(np.prod(shape.size))
    if shape.kind == 'sphere':
        return 4.0 / 3.0 * np.pi * shape.size[0] ** 3
    radius, length, *inner = shape.size
    return np.pi * (radius ** 2 - sum(one ** 2 for one in inner)) * length


def _given_inertia(entries, path, numbers):
    """Return the matrix (3, 3) of three or six numbers, which must be that of some body."""
    if len(numbers) not in (3, 6):
        entries.fail(path, f'{len(numbers)} numbers must be three [xx, yy, zz] or six '
                           '[xx, yy, zz, xy, xz, yz]')
    inertia = np.diag(numbers[:3]).astype(float)
    if len(numbers) == 6:
        for (row, column), value in zip(((0, 1), (0, 2), (1, 2)), numbers[3:], strict=True):
            inertia[row, column] = inertia[column, row] = value
    moments = np.linalg.eigvalsh(inertia)
    if moments[0] < -_TRIANGLE * moments[2]:
        entries.fail(path, f'{list(numbers)}: its principal moments {_text(moments)} must not be '
                           'negative')
    if moments[2] > (moments[0] + moments[1]) * (1.0 + _TRIANGLE):
        entries.fail(path, f'{list(numbers)}: no body has principal moments {_text(moments)}, each '
                           'is at most the sum of the others')
    return inertia


def _text(moments):
    return ', '.join(f'{value:.4g}' for value in moments)


def _check_line(entries, path, points, centre):
    """The points of a slender body and its centre of gravity are in line."""
    places = np.array([*points.values(), centre])
    spread = np.linalg.svd(places - places.mean(axis=0), compute_uv=False)
    if not spread[0] > 0.0:
        entries.fail(f'{path}.slender', 'a slender body needs two places on its line: points, or '
                                        'one and the centre of gravity')
    if spread[1] > 1e-9 * spread[0]:
        entries.fail(f'{path}.slender', 'points and centre of gravity of a slender body must be '
                                        'in one line')


def _check_across(entries, path, inertia):
    """A slender body has the same inertia about all axes across its line."""
    moments = np.linalg.eigvalsh(inertia)
    if moments[2] - moments[1] > 1e-6 * moments[2]:
        entries.fail(f'{path}.inertia', f'a slender body has the same moment about all axes across '
                                        f'its line, not {_text(moments)}')
