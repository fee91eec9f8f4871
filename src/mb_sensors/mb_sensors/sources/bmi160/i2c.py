"""Registers of a device on an I2C bus."""

from pathlib import Path
import socket

import smbus2

from mb_sensors.sources.device_file import why_not

_BUSES = '/dev/i2c-*'
_REQUEST = 4        # bytes: address, how many follow, how many are wanted (2)
_PATIENCE = 1.0     # with an emulated device [s]


class I2cDevice:
    """Reads and writes the registers of one device.  Raises OSError."""

    def __init__(self, bus: str, address: int) -> None:
        """Open a bus: a number, a path of a device file, or a socket of an emulated device."""
        if bus.isdecimal():
            bus = f'/dev/i2c-{bus}'
        try:
            self._bus = SocketBus(bus) if Path(bus).is_socket() else smbus2.SMBus(bus)
        except OSError as error:
            raise OSError(why_not(bus, error, _BUSES)) from error
        self._address = address

    def read(self, register: int, size: int = 1):
        """Return the contents of a register and of the following ones, or of a FIFO."""
        ask = smbus2.i2c_msg.write(self._address, [register])
        answer = smbus2.i2c_msg.read(self._address, size)
        self._bus.i2c_rdwr(ask, answer)
        return bytes(answer)

    def write(self, register: int, value: int):
        """Write a register."""
        self._bus.i2c_rdwr(smbus2.i2c_msg.write(self._address, [register, value]))

    def close(self):
        """Close the bus."""
        self._bus.close()


class SocketBus:
    """A bus on which emulated devices of another process answer; transfers as smbus2.SMBus has."""

    def __init__(self, path: str | Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.settimeout(_PATIENCE)
        try:
            self._socket.connect(str(path))
        except OSError:
            self._socket.close()
            raise

    def i2c_rdwr(self, *messages: smbus2.i2c_msg):
        """Write, then read, by the messages.  Raises OSError if no device answers."""
        written = b''.join(bytes(m) for m in messages if not m.flags)
        wanted = [m for m in messages if m.flags]
        size = sum(m.len for m in wanted)
        self._socket.send(encode_request(messages[0].addr, written, size))
        answer = self._socket.recv(size + 1)
        if len(answer) != size + 1 or answer[:1] != b'\1':
            raise OSError(121, 'no device acknowledges this address')
        for m in wanted:
            for k in range(m.len):
                m.buf[k] = answer[1 + k:2 + k]

    def close(self):
        """Close the connection."""
        self._socket.close()


def encode_request(address: int, written: bytes, wanted: int):
    """Return the packet for a transfer: bytes to write, and the number of bytes to read."""
    return bytes([address, len(written)]) + wanted.to_bytes(2, 'little') + written


def decode_request(packet: bytes):
    """Return (address, written, wanted) of a packet."""
    return packet[0], packet[_REQUEST:_REQUEST + packet[1]], int.from_bytes(packet[2:4], 'little')
