"""Requests to Rerun's servers, whose answers may last as long as a browser reads them."""

from http.client import HTTPException, parse_headers
from io import BytesIO
import select
import socket

PATIENCE = 10.0         # for the beginning of an answer [s]
PIECE = 65536           # [byte]
LONGEST = 65536         # of the headers [byte]
TYPE = 'application/grpc-web+proto'     # of a post of the viewer
PASSED_ON = ('Content-Type', 'Content-Length', 'Transfer-Encoding', 'rerun-final-length',
             'grpc-status', 'grpc-message')


class RelayError(Exception):
    """An answer that is not HTTP."""


class Rest:
    """What follows the headers of an answer: bytes as they were sent, chunks and all."""

    def __init__(self, connection: socket.socket, begun: bytes):
        """Set up for a socket, and what was read of the rest with the headers."""
        self._connection, self._begun = connection, begun

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._connection.close()

    def whole(self):
        """Return all of a rest that ends.  Raises OSError."""
        return self._begun + b''.join(iter(lambda: self._connection.recv(PIECE), b''))

    def send_to(self, browser: socket.socket):
        """Send it to a socket, as it comes, until either side ends.  Raises OSError."""
        browser.sendall(self._begun)
        while True:
            ready, _, _ = select.select([self._connection, browser], [], [])
            if browser in ready:        # gone: it has nothing else to say
                return
            data = self._connection.recv(PIECE)
            if not data:
                return
            browser.sendall(data)


def answer_of(server: tuple[str, int], method: str, path: str, body: bytes = b''):
    """Return (code, [(name, value)] of headers to pass on, Rest) of a request to a server.

    server: (address, port).  Raises OSError, RelayError.
    """
    connection = socket.create_connection(server, timeout=PATIENCE)
    try:
        connection.sendall(_request(server, method, path, body))
        head, begun = _head(connection)
        first, _, lines = head.partition(b'\r\n')
        headers = parse_headers(BytesIO(lines + b'\r\n\r\n'))
        code = int(first.split()[1])
    except (HTTPException, IndexError, ValueError):
        connection.close()
        raise RelayError('its answer is none of HTTP') from None
    except BaseException:
        connection.close()
        raise
    passed_on = [(name, headers[name]) for name in PASSED_ON if headers[name]]
    return code, passed_on, Rest(connection, begun)


def _request(server: tuple[str, int], method: str, path: str, body: bytes):
    lines = [f'{method} {path} HTTP/1.1', f'Host: {server[0]}:{server[1]}', 'Connection: close']
    if method == 'POST':
        lines += [f'Content-Type: {TYPE}', f'Content-Length: {len(body)}', 'X-Grpc-Web: 1']
    return '\r\n'.join([*lines, '', '']).encode() + body


def _head(connection: socket.socket):
    """Return (the headers of an answer, what was read beyond them)."""
    read = b''
    while b'\r\n\r\n' not in read:
        piece = connection.recv(PIECE)
        if not piece or len(read) > LONGEST:
            raise RelayError('its answer ends too early, or not at all')
        read += piece
    head, _, begun = read.partition(b'\r\n\r\n')
    return head, begun
