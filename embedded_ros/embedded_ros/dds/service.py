"""Services: a request topic and a reply topic, each sample led by a 16-byte header.

The header is (client id: uint64, sequence number: int64); a server echoes it, a client drops
replies that bear another id than its own.
"""
import itertools
import struct
import time

from .library import instance_handle
from .participant import Reader, Writer

_HEADER_FIELDS = [('rmw_guid', 'uint64'), ('rmw_seq', 'int64')]
_HEADER_SIZE = 16
_CLIENT_WAIT = 0.1  # [s] a reply waits so long for its client to be discovered


def _with_header(data_type):
    name, fields, nested = data_type
    return name, _HEADER_FIELDS + list(fields), nested


def _add_header(data, client, number):
    layout = '<Qq' if data[1] & 1 else '>Qq'
    return data[:4] + struct.pack(layout, client, number) + data[4:]


def _split_header(data):
    """The sample without header, client id and sequence number."""
    layout = '<Qq' if data[1] & 1 else '>Qq'
    client, number = struct.unpack_from(layout, data, 4)
    return data[:4] + data[4 + _HEADER_SIZE:], client, number


class ServiceServer:
    """The server's two endpoints; `name` is the full ROS name of the service."""

    def __init__(self, participant, name, request_type, reply_type, profile, hashes=('', '')):
        known = f'serviceid={participant.new_service_id()};'
        self.reader = Reader(participant, f'rq{name}Request', _with_header(request_type), profile,
                             (known + hashes[0]).encode())
        self.writer = Writer(participant, f'rr{name}Reply', _with_header(reply_type), profile,
                             (known + hashes[1]).encode())
        self.name = name
        self._reachable = set()  # request writers whose reply reader is known to be matched

    def take_request(self):
        """The oldest request: (data, sample info, (client id, number, request writer)), or None."""
        taken = self.reader.take()
        if taken is None:
            return None
        data, client, number = _split_header(taken[0])
        return data, taken[1], (client, number, taken[1].publication_handle)

    def send_reply(self, header, data):
        """Send the reply to the request with this header."""
        client, number, request_writer = header
        self._wait_for_client(request_writer)
        self.writer.write(_add_header(data, client, number))

    def _wait_for_client(self, request_writer):
        """Give a client just discovered the time to be matched, else its reply would be lost."""
        if request_writer in self._reachable:
            return
        client = self.reader.matched_userdata(request_writer).get('clientid')
        end = time.monotonic() + _CLIENT_WAIT
        while client and time.monotonic() < end:
            readers = self.writer.matched_handles()
            if any(self.writer.matched_userdata(r).get('clientid') == client for r in readers):
                self._reachable.add(request_writer)
                return
            time.sleep(0.001)

    def close(self):
        self.reader.close()
        self.writer.close()


class ServiceClient:
    """The client's two endpoints; `name` is the full ROS name of the service."""

    def __init__(self, participant, name, request_type, reply_type, profile, hashes=('', '')):
        known = f'clientid={participant.new_service_id()};'
        self.reader = Reader(participant, f'rr{name}Reply', _with_header(reply_type), profile,
                             (known + hashes[1]).encode())
        self.writer = Writer(participant, f'rq{name}Request', _with_header(request_type), profile,
                             (known + hashes[0]).encode())
        self.name = name
        self.client_id = instance_handle(self.writer.entity)
        self._numbers = itertools.count(1)

    def send_request(self, data):
        """Send a request; the sequence number that its reply will bear."""
        number = next(self._numbers)
        self.writer.write(_add_header(data, self.client_id, number))
        return number

    def take_reply(self):
        """The oldest reply to this client: (data, sample info, sequence number), or None."""
        while (taken := self.reader.take()) is not None:
            data, client, number = _split_header(taken[0])
            if client == self.client_id:
                return data, taken[1], number
        return None

    def server_is_available(self):
        """Whether both endpoints are matched with the endpoints of one server."""
        writers = self.reader.matched_handles()
        readers = self.writer.matched_handles()
        if not writers or not readers:
            return False
        offered = {self.writer.matched_userdata(r).get('serviceid') for r in readers}
        return any(self.reader.matched_userdata(w).get('serviceid') in offered for w in writers)

    def close(self):
        self.reader.close()
        self.writer.close()
