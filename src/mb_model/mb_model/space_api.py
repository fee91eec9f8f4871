"""What writers of other formats and pictures use of mechanisms in space."""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_model.assembly.beam_sections import section_poses
    from mb_model.assembly.body_motion import body_poses
    from mb_model.assembly.dimension import require_plane, require_space
    from mb_model.pictures.space.spanning import spanning
    from mb_model.space.rotation import (
        across,
        of_roll_pitch_yaw,
        quaternion,
        rotation,
        rotation_vector,
        shortest,
    )
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
