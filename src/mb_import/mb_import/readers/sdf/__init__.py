"""SDF 1.6 to 1.12: worlds, models, frames, links, joints, sensors; parts are read in URDF, too."""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_import.readers.sdf.frames import Frame, Frames, Scope
    from mb_import.readers.sdf.joints import JointParts, read_joint
    from mb_import.readers.sdf.plugins import read_plugin
    from mb_import.readers.sdf.poses import read_pose
    from mb_import.readers.sdf.reading import read
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
