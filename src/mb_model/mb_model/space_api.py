"""What writers of other formats and pictures use of mechanisms in space."""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_model.assembly.body_motion import body_poses, section_poses
    from mb_model.assembly.body_tree import body_tree
    from mb_model.assembly.planar_joints import spatial_description
    from mb_model.assembly.requirements import require_plane, require_space
    from mb_model.compilation.spatial.tree import Hinge, SpatialTree
    from mb_model.registry.joints import JOINTS, kind_of
    from mb_model.space.body import GROUND, Pose, SpatialBody
    from mb_model.space.motion import Motion, single, values_of
    from mb_model.space.rotation import (
        across,
        of_roll_pitch_yaw,
        quaternion,
        roll_pitch_yaw,
        rotation,
        rotation_vector,
        shortest,
    )
    from mb_model.space.spanning_tree import shortest_connections
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
