"""All kinds of joints of mechanisms in space, and of coordinates that are added to theirs."""

from mb_model.registry.kind_modules import gathered, plugin_modules
from mb_model.space import coordinates, joints
from mb_model.space.joint import Joint, JointKind
from mb_model.space.joints import beam_sections, in_plane

JOINTS: dict[str, JointKind] = gathered(
    [joints, beam_sections, in_plane, *plugin_modules(joints.__name__)], 'JOINT')
# name -> SpatialCoordinateKind
COORDINATES = gathered([coordinates, *plugin_modules(coordinates.__name__)], 'COORDINATE')


def kind_of(joint: Joint) -> JointKind:
    """Return the kind of a joint, which says all that is to be known of such joints.

    A change of it needs no kernel compiled anew: those know equations, see registry.spatial.
    """
    return JOINTS[joint.kind]
