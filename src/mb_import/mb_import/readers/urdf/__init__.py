"""URDF, with what Gazebo, Drake, Isaac Sim, ros2_control and public projects add to it."""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_import.readers.urdf.robot import machine_of, read
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
