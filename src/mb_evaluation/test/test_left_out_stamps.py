"""Monitors leave messages out whose stamps no clock shows: summed up, they are other instants."""

from types import SimpleNamespace

import pytest
from rclpy.serialization import serialize_message

from mb_evaluation.nodes.buffered_monitor import BufferedMonitor
from mb_interfaces.msg import MechanismState
from mb_ros.delivered_once import DeliveredOnce
from mb_ros.qos import STREAM_QOS

INFO = {'source_timestamp': 1, 'received_timestamp': 1}


class Noting(BufferedMonitor):
    """A monitor without a node, which notes what counts; the run is from 4 s to 8 s."""

    def __init__(self):
        self.counted, self.noted, self.warnings = 0, [], []
        self.run = SimpleNamespace(admits=lambda stamp: 4e9 <= stamp <= 8e9)

    def get_logger(self):
        """Be the logger."""
        return SimpleNamespace(warning=lambda words, **_: self.warnings.append(words))

    def note_message(self):
        """Count a message."""
        self.counted += 1


def stream(note):
    return SimpleNamespace(topic='states', qos=STREAM_QOS, once=DeliveredOnce(), kept=[], note=note)


@pytest.mark.parametrize(('sec', 'nanosec', 'taken'), [
    (5, 999_999_999, True), (9, 0, False), (5, 1_000_000_000, False), (3, 4_000_000_000, False)])
def test_only_instants_of_the_run_count(sec, nanosec, taken):
    """Malformed ones that would be within it are warned of."""
    message, monitor = MechanismState(), Noting()
    message.header.stamp.sec, message.header.stamp.nanosec = sec, nanosec
    kept, at_once = (stream(lambda *noted: monitor.noted.append(noted)) for _ in range(2))
    monitor._keep(kept, serialize_message(message), INFO)
    monitor._on_message(at_once, message, INFO)
    assert (len(kept.kept), len(monitor.noted)) == (taken, taken)
    malformed = nanosec >= 1_000_000_000
    assert len(monitor.warnings) == 2 * malformed
    assert monitor.counted == 2 * (not malformed)
    assert all(f'states: a stamp of {sec} s and {nanosec} ns' in one for one in monitor.warnings)
