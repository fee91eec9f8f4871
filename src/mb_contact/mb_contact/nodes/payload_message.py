"""Weighed masses as messages, of payloads and of tools."""

from collections.abc import Sequence

from mb_contact.payload.payload_stream import Weighed
from mb_interfaces.msg import PayloadEstimate
from mb_ros.stamps import set_stamp
from mb_ros.states import doubles


def payload_message(masses: Sequence[str], weighed: Weighed) -> PayloadEstimate:
    """Return the PayloadEstimate of what was Weighed; masses: their names."""
    payload = weighed.payload
    message = PayloadEstimate(
        parameter=list(masses), mass=doubles(payload.mass), raw_mass=doubles(payload.raw_mass),
        deviation=doubles(payload.deviation), updating=payload.updating, reason=payload.reason,
        event=payload.event)
    set_stamp(message.header.stamp, weighed.stamp)
    message.header.frame_id = weighed.frame
    return message
