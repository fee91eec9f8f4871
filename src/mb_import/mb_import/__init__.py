"""Descriptions of machines (URDF, xacro, SDF, MJCF, USD) as mechanisms."""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_import.machine import (
        WORLD,
        Drive,
        Inertial,
        Link,
        LinkJoint,
        Machine,
        MachineSensor,
        Relation,
        Shape,
        Strut,
    )
    from mb_import.mapping.lumps import Lump, Lumps, lumps_of
    from mb_import.mapping.mechanism import mechanism_mapping
    from mb_import.mapping.reading import mapping_of, read_machine, urdf_text
    from mb_import.notes import Note, Notes
    from mb_import.options import ImportOptions, Loop, read_options
    from mb_import.reachable import mesh_file
    from mb_import.writers.files import description_files
    from mb_import.writers.tree import (
        CONTINUOUS,
        FIXED,
        PRISMATIC,
        Frame,
        RobotJoint,
        RobotLink,
        RobotTree,
        robot_tree,
    )
    from mb_import.writers.urdf import machine_urdf
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
