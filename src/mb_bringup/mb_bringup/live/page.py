"""The page of a live view: Rerun's viewer, kept from talking to anybody but us.

As it comes, the viewer asks for fonts, news and examples on the internet and reports how it is
used.  The page is passed on with a policy that browsers keep: nothing but this machine is asked.
"""

from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import shutil
from threading import Thread
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import urlopen

PATIENCE = 10.0         # for the viewer's own server [s]
POLICY = ("default-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' blob: data:; "
          "connect-src 'self' http://{host}:{port}")


class ViewerPage:
    """Serves the viewer on a port until it is closed."""

    def __init__(self, port, viewer_port, data_port):
        """Begin; viewer_port: where it comes from, on this machine; data_port: of what it shows.

        Raises OSError for a port that is taken.
        """
        handler = type('Handler', (_Handler,), {'viewer_port': viewer_port, 'data_port': data_port})
        self._server = ThreadingHTTPServer(('', port), handler)
        self._server.daemon_threads = True
        Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        """End the server."""
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    """Passes on a file of the viewer, or sends who comes without an address to the data."""

    def do_GET(self):
        """Answer a request."""
        host = self.headers.get('Host', 'localhost').rsplit(':', 1)[0]
        if self.path == '/':
            data = f'rerun+http://{host}:{self.data_port}/proxy'
            self.send_response(302)
            self.send_header('Location', f'/?url={quote(data, safe="")}')
            self.end_headers()
            return
        try:
            with urlopen(f'http://127.0.0.1:{self.viewer_port}{self.path}',
                         timeout=PATIENCE) as file:
                self.send_response(200)
                for name in ('Content-Type', 'Content-Length', 'rerun-final-length'):
                    if file.headers[name]:
                        self.send_header(name, file.headers[name])
                self.send_header('Content-Security-Policy',
                                 POLICY.format(host=host, port=self.data_port))
                self.end_headers()
                shutil.copyfileobj(file, self.wfile)
        except HTTPError as error:
            self.send_error(error.code)
        except (BrokenPipeError, ConnectionResetError, TimeoutError, HTTPException):
            self.close_connection = True        # the browser is gone

    def log_message(self, *_):
        """Say nothing of single requests."""
