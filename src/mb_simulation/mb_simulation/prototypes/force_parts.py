"""The forces of a mechanism, from what its file says, for a tree of bodies."""

import numpy as np

from mb_model import MechanismError
from mb_simulation.prototypes.forces import Loads, Rubbing
from mb_simulation.prototypes.parts.laws import FRICTION, Laws, rubbing_parts


def lines_of_forces(mechanism):
    """Return the forces that are on no coordinate of a mechanism but between points or bodies.

    Raises MechanismError for forces by expressions, which this prototype does not have.
    """
    for name, force in mechanism.described.forces.items():
        if force.kind == 'characteristic':
            raise MechanismError(f'{mechanism.file}: forces.{name}: a characteristic is not in the '
                                 'MuJoCo prototype, choose the multibody one')
    return [force for force in mechanism.described.forces.values()
            if force.kind != 'load' and not force.coordinate]


class ForceParts:
    """Where the forces of a mechanism act in the motion of its tree.

    Rows of motion: first as in mechanism.model, then lines_of_forces.
    """

    def __init__(self, mechanism, bodies, joints):
        """Take the mechanism; bodies: of the tree, in order; joints: how many coordinates."""
        self._mechanism, self._bodies, self._joints = mechanism, bodies, joints

    def laws(self):
        """Return the Laws."""
        forces = [force for force in self._mechanism.described.forces.values()
                  if force.kind != 'load']
        values = [(one.constant, one.stiffness, one.rest, one.viscous) for one in forces]
        return Laws(np.array(list(map(self._row, forces)), int), _rows(values, 4))

    def loads(self):
        """Return the Loads."""
        described = self._mechanism.described
        loads = [force for force in described.forces.values() if force.kind == 'load']
        bodies = [self._mechanism.bodies[load.body] for load in loads]
        at = [body.points[load.at] if isinstance(load.at, str) else load.at
              for load, body in zip(loads, bodies, strict=True)]
        return Loads(
            np.array([self._mechanism.point_index(next(iter(body.points))) for body in bodies],
                     int),
            np.array([1 + self._bodies.index(load.body) for load in loads], int),
            _complex(at), _complex([load.force for load in loads]),
            np.array([float(load.moment) for load in loads]),
            np.array([load.turning for load in loads], bool))

    def rubbing(self, oil, model):
        """Return the Rubbing; oil: Oil, model: MuJoCo's, with a tendon for each over all joints."""
        count = self._joints
        parts, described = rubbing_parts(self._mechanism), self._mechanism.described
        cylinders = list(described.hydraulics.cylinders) if described.hydraulics else []
        rows, sides = [], []
        for name in parts:
            force = described.forces.get(name.removeprefix(FRICTION))
            if force is None:
                k = cylinders.index(name.removeprefix(f'{FRICTION}cylinders/'))
                rows.append(oil.row[k])
                sides.append(oil.side[2 * k:2 * k + 2])
            else:
                rows.append(self._row(force))
                sides.append((0, 0))
        tendons = [model.tendon(name).id for name in parts]
        places = [first + np.argsort(model.wrap_objid[first:first + count])
                  for first in model.tendon_adr[tendons]]
        return Rubbing(np.array(rows, int), _rows(list(parts.values()), 5),
                       np.array(sides, int).reshape(-1, 2), np.array(tendons, int),
                       np.array(places, int).reshape(len(tendons), count), model.wrap_prm,
                       model.tendon_frictionloss)

    def _row(self, force):
        """Return the row of the coordinate that a Force is on."""
        if force.coordinate:
            return self._mechanism.coordinates.index(force.coordinate)
        total = int(self._mechanism.model['n_total'][0])
        return total + [one.name for one in lines_of_forces(self._mechanism)].index(force.name)


def _rows(values, width):
    return np.array(values, float).reshape(-1, width)


def _complex(pairs):
    return np.array([complex(*pair) for pair in pairs], complex)
