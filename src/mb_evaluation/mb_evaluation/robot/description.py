"""A mechanism as robot software knows it: its URDF, with loops cut, and the joints of that."""

from numpy.typing import ArrayLike

from mb_evaluation.robot.joint_reader import JointReader
from mb_evaluation.robot.urdf import write_urdf
from mb_import import Frame, robot_tree
from mb_model import Mechanism
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
