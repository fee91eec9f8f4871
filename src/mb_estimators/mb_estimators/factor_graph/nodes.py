"""Layouts of the nodes of graphs: which variables an instant has, and where in its vector.

Kernels of the steps rely on the order of the blocks; each names the layout that it is for.
"""

import numpy as np

from mb_estimators.filter.layout import RATES, Block, Layout, motion_blocks
from mb_model import Mechanism


def dependent_node(mechanism: Mechanism, forces: bool = False):
    """Return the layout of nodes q, qd, qdd, and forces on z if they are variables.

    The start of a simulation is known: its variances are 0.
    """
    return Layout([*_coordinates(mechanism), *([_forces(mechanism, 0.0)] if forces else [])])


def independent_node(mechanism: Mechanism, forces: bool = False):
    """Return the layout of nodes z, zd, zdd and with them q, qd, qdd; see dependent_node."""
    return Layout([*motion_blocks(mechanism, 3 * [0.0]), *_coordinates(mechanism),
                   *([_forces(mechanism, 0.0)] if forces else [])])


def motion_node(mechanism: Mechanism, states: Layout, forces: bool = True):
    """Return the layout of nodes that estimate: z, zd, unknown forces on z, biases, parameters.

    states: the Layout of a filter with these blocks but the forces.  The variances of forces at the
    start follow from its accelerations and the inertia there: nan here.  Accelerations follow from
    the dynamics.
    """
    own = {block.name: block for block in states.blocks}
    return Layout([own['position'], own['velocity'],
                   *([_forces(mechanism, np.nan)] if forces else []), own['bias'],
                   *([own['parameter']] if 'parameter' in own else [])])


def _coordinates(mechanism: Mechanism):
    names = ('coordinate', 'coordinate velocity', 'coordinate acceleration')
    units = [mechanism.unit(name) for name in mechanism.coordinates]
    return [Block(kind, tuple(f'{name} as {kind}' for name in mechanism.coordinates),
                  tuple(unit + rate for unit in units), np.zeros(mechanism.n))
            for kind, rate in zip(names, RATES, strict=False)]


def _forces(mechanism: Mechanism, variance: float):
    units = ['N m' if mechanism.unit(name) == 'rad' else 'N' for name in mechanism.independent]
    return Block('force', tuple(f'force on {name}' for name in mechanism.independent),
                 tuple(units), np.full(mechanism.g, variance))
