"""Which messages viewers look at, by stamps and wall time."""

import pytest
from rclpy.serialization import serialize_message

from mb_evaluation.nodes import glances
from mb_evaluation.nodes.glances import Glances
from mb_interfaces.msg import MechanismState
from mb_ros.stamps import MalformedStampError, nanoseconds, serialised_stamp, stamp


class Silent:
    """A node whose topics the test plays; warnings: what it logs."""

    def __init__(self):
        self.callbacks, self.warnings = {}, []

    def get_logger(self):
        """Be the logger."""
        return self

    def warning(self, words, **_):
        """Note a warning."""
        self.warnings.append(words)

    def create_subscription(self, message_type, topic, callback, qos, raw):
        """Note the callback."""
        assert raw
        self.callbacks[topic] = callback


def message(nanosec):
    """Return a serialized state."""
    state = MechanismState(q=[1.0, 2.0])
    state.header.stamp = stamp(nanosec)
    return serialize_message(state)


def test_the_stamp_is_read_without_the_rest():
    for wanted in (0, 1, 1_999_999_999, 123_456_789_012):
        assert serialised_stamp(message(wanted)) == wanted


@pytest.mark.parametrize('speed', [0.3, 1.0, 7.0])
def test_two_streams_are_seen_at_the_same_instants_as_often_as_wanted(speed, monkeypatch):
    """States at 200 Hz by stamps, which run `speed` times as fast as the wall's time."""
    wall = [100.0]
    monkeypatch.setattr(glances.time, 'monotonic', lambda: wall[0])
    node, seen = Silent(), {'a': [], 'b': []}
    looked = Glances(node, 25.0)
    for topic, stamps in seen.items():
        looked.take(MechanismState, topic,
                    lambda state, to=stamps: to.append(nanoseconds(state.header.stamp)))
    for k in range(int(800 * speed)):
        wall[0] += 5e-3 / speed
        for callback in node.callbacks.values():
            callback(message(1_000_000_000 + 5_000_000 * k))
    late = [{s for s in stamps if s > 1e9 + 2e9 * speed} for stamps in seen.values()]
    assert late[0] == late[1]
    assert 0.4 * 50 < len(late[0]) < 2.1 * 50       # of two seconds


def test_stamps_that_no_clock_shows_are_left_out_and_named():
    """Summed up, such a stamp would be another instant."""
    node, seen = Silent(), []
    Glances(node, 25.0).take(MechanismState, 'states', seen.append)
    wrong = MechanismState()
    wrong.header.stamp.sec, wrong.header.stamp.nanosec = 5, 2_000_000_000
    data = serialize_message(wrong)
    with pytest.raises(MalformedStampError, match='a stamp of 5 s and 2000000000 ns'):
        serialised_stamp(data)
    for _ in range(20):
        node.callbacks['states'](data)
    assert not seen
    assert node.warnings[0].startswith('states: a stamp of 5 s and 2000000000 ns')
