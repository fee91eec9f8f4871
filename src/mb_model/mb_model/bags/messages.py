"""Messages as bags hold them, by the definitions of the installed mb_interfaces."""

from pathlib import Path
from typing import Any

from ament_index_python.packages import PackageNotFoundError, get_package_share_directory
from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from rosbags.typesys.store import Typestore

STATE_TYPE = 'mb_interfaces/msg/MechanismState'
SECOND = 1_000_000_000


def message_types(*others: str) -> Typestore:
    """Return the store of message types with MechanismState and others of mb_interfaces by name."""
    types = get_typestore(Stores.ROS2_JAZZY)
    try:
        share = Path(get_package_share_directory('mb_interfaces'))
    except PackageNotFoundError:
        raise ValueError('bags need the package mb_interfaces, which is not installed') from None
    for name in ('MechanismState', *others):
        definition = (share / 'msg' / f'{name}.msg').read_text(encoding='utf-8')
        types.register(get_types_from_msg(definition, f'mb_interfaces/msg/{name}'))
    return types


def stamp_of(message: Any) -> int:
    """Return the stamp of a message [ns]."""
    return message.header.stamp.sec * SECOND + message.header.stamp.nanosec
