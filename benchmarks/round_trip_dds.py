"""The same round trips through the plain Python binding of Cyclone DDS, as a peer.

    python -m benchmarks.round_trip_dds echo | <count> <rate Hz>
"""

from dataclasses import dataclass
import signal
import sys
from threading import Thread
from time import monotonic, process_time, sleep

from cyclonedds.core import ReadCondition, SampleState, WaitSet
from cyclonedds.domain import DomainParticipant
from cyclonedds.idl import IdlStruct
from cyclonedds.idl.types import int32, sequence, uint32
from cyclonedds.pub import DataWriter
from cyclonedds.qos import Policy, Qos
from cyclonedds.sub import DataReader
from cyclonedds.topic import Topic
from cyclonedds.util import duration

QOS = Qos(Policy.Reliability.Reliable(duration(infinite=True)), Policy.History.KeepLast(10))


@dataclass
class Joints(IdlStruct, typename='Joints'):
    """The fields of a JointState."""

    sec: int32
    nanosec: uint32
    frame_id: str
    name: sequence[str]
    position: sequence[float]
    velocity: sequence[float]
    effort: sequence[float]


class Ends:
    """A reader that can be waited for and a writer."""

    def __init__(self, read, write):
        self.participant = DomainParticipant()
        self.reader = DataReader(self.participant, Topic(self.participant, read, Joints), QOS)
        self.writer = DataWriter(self.participant, Topic(self.participant, write, Joints), QOS)
        self.waiting = WaitSet(self.participant)
        self.waiting.attach(ReadCondition(self.reader, SampleState.NotRead))

    def take(self):
        """Wait for a moment; return the samples that came."""
        self.waiting.wait(duration(milliseconds=500))
        return self.reader.take(100)


def echo():
    """Send back whatever comes, until interrupted."""
    signal.signal(signal.SIGINT, lambda *_: sys.exit())
    ends = Ends('there', 'back')
    while True:
        for sample in ends.take():
            if isinstance(sample, Joints):
                ends.writer.write(sample)


def send(count, rate):
    """Send `count` samples at `rate` [Hz]; print their round-trip times, last the CPU share."""
    ends = Ends('back', 'there')
    sent, times = {}, []
    sample = Joints(-1, 0, '', ['a', 'b', 'c'], [0.0] * 3, [0.0] * 3, [])
    while not any(isinstance(answer, Joints) for answer in ends.take()):    # both ways are open
        ends.writer.write(sample)

    def fire():
        begin = monotonic()
        for sample.sec in range(count):
            sleep(max(0.0, begin + sample.sec / rate - monotonic()))
            sent[sample.sec] = monotonic()
            ends.writer.write(sample)

    start, cpu = monotonic(), process_time()
    Thread(target=fire, daemon=True).start()
    while len(times) < count and monotonic() - start < 1.2 * count / rate:
        times += [monotonic() - sent[sample.sec] for sample in ends.take()
                  if isinstance(sample, Joints) and sample.sec in sent]
    share = (process_time() - cpu) / (monotonic() - start)
    print(*times, share, sep='\n')


if __name__ == '__main__':
    if sys.argv[1] == 'echo':
        echo()
    else:
        send(int(sys.argv[1]), float(sys.argv[2]))
