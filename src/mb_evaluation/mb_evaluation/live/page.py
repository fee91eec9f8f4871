"""The page of a live view: Rerun's viewer, restricted to our server.

As it comes, the viewer asks for fonts, news and examples on the internet and reports how it is
used.  The page is passed on with a policy that browsers keep: nothing but this server is asked.
One port serves the page and what it shows; only reading is passed on.
"""

from base64 import b64encode
from contextlib import suppress
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import re
import sys
from threading import BoundedSemaphore, Thread
from typing import Any
from urllib.parse import quote

from mb_evaluation.live.addresses import KnownHosts, family_of
from mb_evaluation.live.relay import RelayError, answer_of
from mb_evaluation.live.viewer import ViewerServers

PATIENCE = 10.0         # for a browser to ask [s]
STANDSTILL = 60.0       # of a browser that takes nothing, after which its connection ends [s]
MOST = 64               # connections at a time
LONGEST = 65536         # of what a browser sends [byte]
READING = re.compile(r'/rerun\.sdk_comms\.v1alpha1\.MessageProxyService/Read\w+')
FILE = re.compile(r'/[\w.-]*')
POLICY = ("default-src 'none'; script-src 'self' 'wasm-unsafe-eval' {scripts}; "
          "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
          "connect-src 'self' data: blob:; worker-src 'self' blob:; manifest-src 'self'; "
          "base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
HEADERS = {'X-Content-Type-Options': 'nosniff', 'X-Frame-Options': 'DENY',
           'Referrer-Policy': 'no-referrer', 'Cross-Origin-Resource-Policy': 'same-origin',
           'Cross-Origin-Opener-Policy': 'same-origin', 'Cache-Control': 'no-cache',
           'Connection': 'close'}


class ViewerPage(ThreadingHTTPServer):
    """Serves the viewer on an address and port until it is closed."""

    daemon_threads = True

    def __init__(self, address: str, port: int, servers: ViewerServers, hosts: KnownHosts):
        """Begin; servers: ViewerServers; hosts: KnownHosts.

        Raises OSError for a taken port, RuntimeError if Rerun's server does not give the page.
        """
        self.address_family = family_of(address)
        self.servers, self.hosts = servers, hosts
        self.policy = _policy(servers.page)
        self._free = BoundedSemaphore(MOST)
        super().__init__((address, port), _Handler)
        Thread(target=self.serve_forever, daemon=True).start()

    def process_request(self, request: Any, client_address: Any):
        """Answer in a thread, if there are not too many."""
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any):
        """Answer, and make room for others."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any):
        """Say nothing of a browser that has gone."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def close(self):
        """End the server."""
        self.shutdown()
        self.server_close()


def _policy(server: tuple[str, int]):
    """Return the policy for the page of a server.  Raises RuntimeError."""
    try:
        _, _, first = answer_of(server, 'GET', '/')
        with first:
            return POLICY.format(scripts=' '.join(inline_scripts(first.whole())))
    except (OSError, RelayError) as error:
        raise RuntimeError(f"Rerun's server does not give its page: {error}") from None


def inline_scripts(page: bytes):
    """Return the entry of a policy for each script within a page, given as bytes."""
    return [f"'sha256-{b64encode(sha256(script).digest()).decode()}'"
            for script in re.findall(rb'<script>(.*?)</script>', page, re.DOTALL)]


class _Handler(BaseHTTPRequestHandler):
    """Answers one request of a browser on this machine's page."""

    timeout = PATIENCE
    protocol_version = 'HTTP/1.1'
    default_request_version = 'HTTP/1.0'        # not 0.9, which has no headers for us to send
    server_version, sys_version = 'mb_state_estimation', ''
    error_message_format, error_content_type = '%(code)d %(explain)s\n', 'text/plain'

    def do_GET(self):
        """Send a file of the viewer; redirect a browser without an address to the data."""
        if not self._is_welcome():
            return
        path = self.path.partition('?')[0]
        if self.path == '/':
            name, port = self.server.hosts.split(self.headers['Host'])
            self.send_response(302)
            data = quote(f'rerun+http://{name}:{port}/proxy', safe='')
            self.send_header('Location', f'/?url={data}')
            self.send_header('Content-Length', '0')
            self.end_headers()
        elif FILE.fullmatch(path):
            self._pass_on(self.server.servers.page, 'GET', path)
        else:
            self.send_error(404)

    def do_POST(self):
        """Send the data to show, as long as the browser takes it."""
        if not self._is_welcome():
            return
        length = self.headers.get('Content-Length', '')
        if not READING.fullmatch(self.path):
            self.send_error(404)
        elif not re.fullmatch(r'\d{1,9}', length) or self.headers.get('Transfer-Encoding'):
            self.send_error(411)
        elif int(length) > LONGEST:
            self.send_error(413)
        else:
            body = self.rfile.read(int(length))
            if len(body) == int(length):
                self._pass_on(self.server.servers.data, 'POST', self.path, body)

    def end_headers(self):
        """Send the policy for browsers, with every answer."""
        self.send_header('Content-Security-Policy', self.server.policy)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.close_connection = True
        super().end_headers()

    def log_message(self, *_):
        """Say nothing of single requests."""

    def _is_welcome(self):
        """Refuse a request that is not from our page; return whether it is."""
        if self.request_version != 'HTTP/1.1':      # answers may be in chunks
            self.send_error(505)
            return False
        problem = self.server.hosts.problem(self.headers)
        if problem:
            self.send_error(403, explain=problem)
        return problem is None

    def _pass_on(self, server: tuple[str, int], method: str, path: str, body: bytes = b''):
        """Pass on a request to one of Rerun's servers, and its answer."""
        try:
            code, headers, rest = answer_of(server, method, path, body)
        except (OSError, RelayError):
            self.send_error(502)
            return
        with rest:
            self.connection.settimeout(STANDSTILL)
            self.send_response(code)
            for name, value in headers:
                self.send_header(name, value)
            with suppress(OSError):     # the browser is gone, or Rerun's server
                self.end_headers()
                rest.send_to(self.connection)
