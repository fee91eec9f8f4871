"""What a domain that is confined to this machine takes from a network: nothing.

The judge is the kernel of a second machine's network: a port without a socket is refused.
"""
from contextlib import contextmanager
import json
import os
import shutil
import socket
import subprocess
import sys
import time

from embedded_ros.dds.loopback import on_loopback_only
import pytest

LISTEN = """
import json, os, socket
import rclpy
rclpy.init()
node = rclpy.create_node('listener')
bound = []
for name in os.listdir('/proc/self/fd'):
    try:
        copy = socket.socket(fileno=os.dup(int(name)))
    except OSError:
        continue
    if copy.family == socket.AF_INET and copy.type == socket.SOCK_DGRAM:
        bound.append(copy.getsockname())
print(json.dumps(bound), flush=True)
input()
node.destroy_node()
rclpy.shutdown()
"""
KNOCK = """
import socket, sys
def answer(port):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as knocking:
        knocking.connect((sys.argv[1], port))
        knocking.settimeout(0.3)
        for _ in range(5):
            try:
                knocking.send(b'RTPS')
                knocking.recv(1)
            except ConnectionRefusedError:
                return 'refused'
            except TimeoutError:
                pass
        return 'open'
print(*(answer(int(port)) for port in sys.argv[2:]))
"""
HERE, THERE = '10.77.0.1', '10.77.0.2'
CONFINED = ({}, {'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'},
            {'ROS_AUTOMATIC_DISCOVERY_RANGE': 'OFF'},
            {'ROS_AUTOMATIC_DISCOVERY_RANGE': 'SUBNET', 'ROS_LOCALHOST_ONLY': '1'})
OPEN = ({'ROS_AUTOMATIC_DISCOVERY_RANGE': 'SUBNET'},
        {'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST', 'ROS_STATIC_PEERS': THERE},
        {'ROS_AUTOMATIC_DISCOVERY_RANGE': 'SYSTEM_DEFAULT'})


@pytest.fixture(scope='module')
def machines():
    """The words that run a command on each of two machines, as far as networks are concerned."""
    if not all(map(shutil.which, ('unshare', 'nsenter', 'ip'))):
        pytest.skip('needs unshare and nsenter (util-linux) and ip (iproute2)')
    with network() as here, network() as there:
        made = subprocess.run(
            [*inside(here), 'ip', 'link', 'add', 'wire', 'type', 'veth', 'peer', 'name', 'wire',
             'netns', str(there)], capture_output=True, check=False).returncode == 0
        if not made:
            pytest.skip('networks can be made by root alone')
        for process, address in ((here, HERE), (there, THERE)):
            for words in (['link', 'set', 'lo', 'up'],
                          ['addr', 'add', f'{address}/24', 'dev', 'wire'],
                          ['link', 'set', 'wire', 'up']):
                subprocess.run([*inside(process), 'ip', *words], check=True)
        yield inside(here), inside(there)


@contextmanager
def network():
    """The id of a process in a network of its own."""
    process = subprocess.Popen(['unshare', '--net', 'sleep', 'infinity'])
    ours = os.readlink('/proc/self/ns/net')
    end = time.monotonic() + 30.0
    while process.poll() is None and os.readlink(f'/proc/{process.pid}/ns/net') == ours:
        assert time.monotonic() < end
        time.sleep(0.01)
    try:
        if process.poll() is not None:
            pytest.skip('networks can be made by root alone')
        yield process.pid
    finally:
        process.kill()
        process.wait()


def inside(process):
    return ['nsenter', '--target', str(process), '--net']


def plain(environment):
    """This environment, with what is given of discovery and nothing else."""
    names = ('ROS_AUTOMATIC_DISCOVERY_RANGE', 'ROS_LOCALHOST_ONLY', 'ROS_STATIC_PEERS',
             'CYCLONEDDS_URI')
    return {**{name: value for name, value in os.environ.items() if name not in names},
            **environment}


def answers(machines, environment):
    """What a stranger receives from each port of a node on which it receives, in a set."""
    here, there = machines
    listener = subprocess.Popen(
        [*here, sys.executable, '-c', LISTEN], text=True, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, env=plain(environment))
    bound = json.loads(listener.stdout.readline())
    ports = [str(port) for address, port in bound if address == '0.0.0.0']
    assert len(ports) >= 2, bound
    try:
        found = subprocess.run([*there, sys.executable, '-c', KNOCK, HERE, *ports], check=True,
                               capture_output=True, text=True).stdout.split()
    finally:
        listener.communicate('\n')
    assert listener.returncode == 0
    return set(found)


@pytest.mark.parametrize('environment', CONFINED, ids=str)
def test_a_confined_domain_refuses_strangers(machines, environment):
    assert answers(machines, environment) == {'refused'}


@pytest.mark.slow
@pytest.mark.parametrize('environment', OPEN, ids=str)
def test_a_network_is_used_when_it_is_configured(machines, environment):
    assert answers(machines, environment) == {'open'}


def test_only_udp_sockets_for_all_addresses_are_bound_to_the_device():
    device = 16     # bytes that a name has at most
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as before, on_loopback_only():
        before.bind(('0.0.0.0', 0))
        made = [socket.socket(socket.AF_INET, kind)
                for kind in (socket.SOCK_DGRAM, socket.SOCK_DGRAM, socket.SOCK_STREAM)]
        for one, address in zip(made, ('0.0.0.0', '127.0.0.1', '0.0.0.0'), strict=True):
            one.bind((address, 0))
    assert [one.getsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, device).rstrip(b'\0')
            for one in made] == [b'lo', b'', b'']
    for one in made:
        one.close()
