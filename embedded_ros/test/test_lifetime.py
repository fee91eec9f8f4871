"""The DDS library under many contexts, topics and signals, and threads that outlive them."""

WAKES = """
import sys
import threading
import rclpy
from rclpy.executors import SingleThreadedExecutor

def cycle():
    rclpy.init(args=[])
    executor = SingleThreadedExecutor()
    rclpy.shutdown()
    return executor

def wake():
    while not over:
        first.wake()

sys.setswitchinterval(1e-5)
first, over = cycle(), False
thread = threading.Thread(target=wake)
thread.start()
for _ in range(200):
    cycle()
over = True
thread.join()
"""


def test_threads_may_outlive_their_context(run):
    """A late wake() of another thread is harmless, whatever is set up or taken down then."""
    assert run('-c', WAKES).wait(60) == 0


MANY = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
import rclpy
from rclpy.context import Context
from std_msgs.msg import Int32

def publishers():
    context = Context()
    context.init(args=[])
    node = rclpy.create_node('node', context=context)
    return [node.create_publisher(Int32, f'topic_{number}', 1) for number in range(20)]

print(len([publishers() for _ in range(3)]))
"""


def test_many_topics_of_a_type(run):
    """More topics of one type than the library can hold descriptions of it; memory is bounded."""
    process = run('-c', MANY)
    assert (process.communicate()[0], process.returncode) == ('3\n', 0)


FORKS = """
import os
from rclpy.context import Context
import rclpy.node
for _ in range(2):
    if os.fork() == 0:
        context = Context()
        context.init(args=[])
        print(context.participant.gid.hex(), flush=True)
        context.shutdown()
        os._exit(0)
    os.wait()
"""


def test_forks_have_names_of_their_own(run):
    """Participants of processes forked from one that has only imported rclpy differ."""
    process = run('-c', FORKS)
    first, second = process.communicate()[0].split()
    assert (first != second, process.returncode) == (True, 0)


TYPES = """
import os
import time
from embedded_ros.dds.message_type import message_type_of
from embedded_ros.dds.participant import Participant, Reader, Writer
from rclpy.qos import QoSDurabilityPolicy, QoSProfile

def writer(participant, name):
    return Writer(participant, f'rt/{name}', kinds[name], latched)

def instance():
    sender.write(bytes([0, 1, 0, 0, 7, 0, 0, 0]))
    return reader.take()[1].instance_handle

latched = QoSProfile(depth=1, durability=QoSDurabilityPolicy.TRANSIENT_LOCAL)
kinds = {name: message_type_of(f'std_msgs/msg/{name}') for name in ('Int32', 'UInt32')}
first, second = (Participant(int(os.environ['ROS_DOMAIN_ID'])) for _ in range(2))
writer(first, 'Int32').write(bytes([0, 1, 0, 0, 7, 0, 0, 0]))
sender = writer(second, 'UInt32')
reader = Reader(second, 'rt/UInt32', kinds['UInt32'], latched)
before = instance()
first.close()
for _ in range(50):
    time.sleep(0.01)
    assert instance() == before
second.close()
try:
    second.topic('rt/more', kinds['Int32'])
except RuntimeError as error:
    print(error)
"""


def test_types_outlive_their_topics(run):
    """The library still asks the type of the very first sample about samples of other types.

    They are all of one instance; not so, and worse, where that type's memory is used anew.
    """
    tunables = 'glibc.malloc.perturb=165:glibc.malloc.tcache_count=0'  # freed memory is filled
    process = run('-c', TYPES, GLIBC_TUNABLES=tunables)
    output = process.communicate()[0]
    assert process.returncode == 0
    assert output.startswith('creating the DDS topic rt/more')


SIGNALS = """
import os
import signal
from embedded_ros.dds.message_type import message_type_of
from embedded_ros.dds.participant import Participant, Reader, Writer
from rclpy.qos import QoSProfile

class Ring(Exception):
    pass

def ring(number, frame):
    if frame.f_code.co_name not in ('<module>', 'ring'):      # one may come while one is handled
        raise Ring

participant = Participant(int(os.environ['ROS_DOMAIN_ID']))
kind = message_type_of('std_msgs/msg/Int32')
reader, writer = (make(participant, 'rt/a', kind, QoSProfile(depth=1)) for make in (Reader, Writer))
signal.signal(signal.SIGALRM, ring)
signal.setitimer(signal.ITIMER_REAL, 1e-4, 1e-4)
rings = taken = 0
while rings < 1000:
    try:
        writer.write(bytes([0, 1, 0, 0, 7, 0, 0, 0]))
        taken += reader.take() is not None
    except Ring:
        rings += 1
signal.setitimer(signal.ITIMER_REAL, 0)
print(taken > 0)
"""


def test_signals_while_samples_are_taken(run):
    """What a signal handler raises, such as KeyboardInterrupt, may come at any moment."""
    process = run('-c', SIGNALS)
    assert (process.communicate()[0], process.returncode) == ('True\n', 0)
