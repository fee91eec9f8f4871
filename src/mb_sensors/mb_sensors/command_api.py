"""What authors of commands and nodes use of the sensors: arguments, messages, pages."""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_sensors.commands.kinds import overview as kinds_overview
    from mb_sensors.commands.motion_options import (
        add_mechanism_argument,
        add_motion_arguments,
        mechanism_of,
    )
    from mb_sensors.kind_parts.dynamic_joint_states import DynamicJointStateMessage
    from mb_sensors.kind_parts.joint_states import JointStateMessage
    from mb_sensors.kind_parts.messages import FieldsMessage, ImuMessage
    from mb_sensors.nodes.import_recording import import_log
    from mb_sensors.nodes.kept_message import KeptMessage, reading_type
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
