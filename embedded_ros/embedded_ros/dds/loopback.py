"""Sockets of a domain that is confined to this machine, which take nothing from a network.

Cyclone DDS binds the sockets on which it receives to all addresses, whatever interface it is to
use (issue 1923 of its repository, 11.0.1 has no option for it). Linux can bind a socket to a device
as well. Then the socket gets what comes over the loopback device, and the kernel refuses datagrams
from a network, as for a port without a socket. What came in the milliseconds before finds no
reader: there is no node yet.
"""
from contextlib import contextmanager, suppress
import os
import socket
import sys
import warnings

LOOPBACK = b'lo'
_EVERYWHERE = '0.0.0.0', '::'
_DESCRIPTORS = '/proc/self/fd'


@contextmanager
def on_loopback_only():
    """Bind UDP sockets that are opened meanwhile, for all addresses, to the loopback device.

    On Linux alone; before 5.7 the kernel wants CAP_NET_RAW for it. Warns where it cannot be done.
    """
    if not sys.platform.startswith('linux'):
        yield
        return
    before = _sockets()
    yield
    for descriptor, _ in _sockets() - before:
        _confine(descriptor)


def _sockets():
    """(descriptor, inode) of each socket of this process."""
    found = set()
    for name in os.listdir(_DESCRIPTORS):
        with suppress(OSError):  # closed meanwhile, as the descriptor of the folder
            target = os.readlink(f'{_DESCRIPTORS}/{name}')
            if target.startswith('socket:'):
                found.add((int(name), target))
    return found


def _confine(descriptor):
    try:
        copy = socket.socket(fileno=os.dup(descriptor))
    except OSError:  # closed meanwhile
        return
    with copy:
        if copy.type != socket.SOCK_DGRAM or copy.family not in (socket.AF_INET, socket.AF_INET6):
            return
        address, port = copy.getsockname()[:2]
        if address in _EVERYWHERE:
            try:
                copy.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, LOOPBACK)
            except OSError as error:
                warnings.warn(
                    f'port {port} of DDS is open to networks: {error.strerror} where it is bound '
                    'to the loopback device (Linux before 5.7 wants CAP_NET_RAW)',
                    RuntimeWarning, stacklevel=2)
