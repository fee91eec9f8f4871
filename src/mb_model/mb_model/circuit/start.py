"""Pressures with which a circuit holds its mechanism still at the start."""

import numpy as np

from mb_model.mechanism_file.description import MechanismError
from mb_model.record.hydraulics import AIR_PRESSURE


def start_pressures(mechanism, described):
    """Return p0 (v) [Pa]: those that the file gives, the others so that nothing moves.

    Raises MechanismError where they would not be above zero.
    """
    volumes = list(described.volumes.values())
    p0 = np.array([AIR_PRESSURE if volume.start is None else volume.start for volume in volumes])
    free = [n for n, volume in enumerate(volumes) if volume.start is None]
    if not free:
        return p0
    pressures = dict(zip(described.volumes, p0, strict=True))
    pressures |= described.supplies | {None: AIR_PRESSURE}
    held, by_free = [], np.zeros((len(described.cylinders), len(free)))
    for k, cylinder in enumerate(described.cylinders.values()):
        areas = cylinder.piston_area, -cylinder.rod_area
        sides = cylinder.piston_side, cylinder.rod_side
        held.append(sum(area * (pressures[side] - AIR_PRESSURE)
                        for side, area in zip(sides, areas, strict=True)))
        for side, area in zip(sides, areas, strict=True):
            for column, n in enumerate(free):
                if volumes[n].name == side:
                    by_free[k, column] += area
    missing = _holding_forces(mechanism, described) - held
    p0[free] += np.linalg.lstsq(by_free, missing, rcond=None)[0]
    for n in free:
        if not p0[n] > 0.0:
            raise MechanismError(
                f'{mechanism.file}: hydraulics.volumes.{volumes[n].name}.start: holding the '
                f'mechanism still at its start takes {p0[n]:.3g} Pa there, which must be > 0; '
                'give more to the other side')
    return p0


def _holding_forces(mechanism, described):
    """Return the forces on the cylinders' coordinates that hold the start (c) [N]."""
    rows = [mechanism.coordinates.index(cylinder.coordinate)
            for cylinder in described.cylinders.values()]
    R = mechanism.R(mechanism.q0)[rows]
    zero = np.zeros(mechanism.g)
    needed = mechanism.inverse_dynamics(mechanism.z0, zero, zero)
    return np.linalg.lstsq(R.T, needed, rcond=None)[0]
