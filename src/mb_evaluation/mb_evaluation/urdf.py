"""Command `urdf`: print a mechanism as URDF, the robot description of ROS."""

import argparse
from collections.abc import Sequence
import sys

from numpy.typing import ArrayLike

from mb_evaluation.robot import JointReader, write_urdf
from mb_import import Frame, robot_tree
from mb_model import Mechanism, load_mechanism
from mb_model.arrays import FloatArray


class RobotDescription:
    """A mechanism as robot software knows it.

    urdf: text; joints: of its tree, with names, parents, children and transforms; names: of joints
    that are not fixed.
    """

    def __init__(self, mechanism: Mechanism):
        """Make it; raises MechanismError for bodies without support, in the plane."""
        tree = robot_tree(mechanism)
        self.urdf, self.joints = write_urdf(mechanism, tree), tree.joints
        self.names = [joint.name for joint in tree.moving]
        self._reader = JointReader(mechanism, tree)

    def read(self, q: ArrayLike, qd: ArrayLike | None = None) -> tuple[FloatArray, FloatArray]:
        """Return positions and velocities of the joints that are not fixed, see JointReader."""
        return self._reader.read(q, qd)

    def frames(self, q: ArrayLike) -> list[Frame]:
        """Return the frame of each link in its parent's at q (n)."""
        values = dict(zip(self.names, self.read(q)[0].tolist(), strict=True))
        return [(joint.parent, joint.child, *joint.transform(values.get(joint.name, 0.0)))
                for joint in self.joints]


def main(arguments: Sequence[str] | None = None) -> None:
    """Exit with 0, or with 2 if the mechanism cannot be used."""
    parser = argparse.ArgumentParser(
        prog='urdf', description='Print a mechanism as URDF. Loops are cut to a tree, whose joints '
        'the node robot_description publishes, so that loops stay closed.')
    parser.add_argument('mechanism', help='name of a mechanism or path of its file')
    given = parser.parse_args(arguments)
    try:
        print(RobotDescription(load_mechanism(given.mechanism)).urdf, end='')
    except ValueError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


if __name__ == '__main__':
    main()
