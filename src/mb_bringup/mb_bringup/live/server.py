"""The server of a live view: what is logged goes to every browser that is connected."""

from contextlib import suppress
from datetime import timedelta
from functools import cache
from importlib import import_module
from importlib.util import find_spec
import socket

from mb_bringup.live.page import ViewerPage

NEEDED = 'rerun-sdk==0.41.0'
NAME = 'mb_state_estimation'
NEXT = 50           # ports that are tried
TOGETHER = timedelta(milliseconds=100)      # what is logged in this time is sent as one


def check_installed():
    """Raise ValueError where Rerun, which is optional, is not installed."""
    if find_spec('rerun') is None:
        raise ValueError(f'view: the view in a browser needs Rerun: pip install {NEEDED}')


@cache
def rerun():
    """Return Rerun's package; raises ValueError where it is not installed."""
    check_installed()
    return import_module('rerun')


class LiveServer:
    """A page for any number of browsers, and the recording that they show.

    Neither a slow browser nor none at all holds up who logs to `recording`.
    """

    def __init__(self, layout, web_port, data_port, memory):
        """Begin; layout: a blueprint; memory: of what is kept for browsers to come [MB].

        A port that is taken is passed over for the next one.
        """
        sdk, viewer_port = rerun(), _free_port(0)
        web_port, data_port = _free_port(web_port), _free_port(data_port)
        batches = sdk.ChunkBatcherConfig.DEFAULT()
        batches.flush_tick = TOGETHER
        self.recording = sdk.RecordingStream(NAME, batcher_config=batches)
        self.recording.serve_grpc(
            grpc_port=data_port, default_blueprint=layout, server_memory_limit=f'{memory:g}MB',
            cors_allow_origin=[f'http://{host}:{web_port}' for host in (
                'localhost', '127.0.0.1', socket.gethostname())])
        sdk.serve_web_viewer(web_port=viewer_port, open_browser=False)
        self._page = ViewerPage(web_port, viewer_port, data_port)
        self.ports = web_port, data_port
        self.address = f'http://localhost:{web_port}'

    def close(self):
        """Send what is left, and end."""
        self._page.close()
        self.recording.disconnect()


def _free_port(first):
    """Return the first free port from one on, any for 0; ValueError if all are taken."""
    for port in range(first, min(first + NEXT, 65536)):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with suppress(OSError):
                probe.bind(('', port))
                return probe.getsockname()[1]
    raise ValueError(f'no port is free from {first} on')
