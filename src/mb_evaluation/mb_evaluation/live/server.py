"""The server of a live view: all logs go to every connected browser."""

from collections.abc import Iterable
from contextlib import suppress
from datetime import timedelta
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from threading import Thread
from typing import Any

from mb_evaluation.live.addresses import KnownHosts, check_address, url_of
from mb_evaluation.live.page import ViewerPage
from mb_evaluation.live.viewer import ViewerServers

NEEDED = 'rerun-sdk==0.41.0'
NAME = 'mb_state_estimation'
NEXT = 50           # ports that are tried
TOGETHER = timedelta(milliseconds=100)      # what is logged in this time is sent as one
LAST = 2.0          # for what is left at the end to be sent [s]


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

    A slow browser, or none, does not delay logging to `recording`.
    """

    def __init__(self, layout: Any, address: str, port: int, memory: float,
                 names: Iterable[str] = ()):
        """Begin; layout: a blueprint; memory: kept for later browsers [MB].

        address: of this machine, on which browsers find the page; names: by which they may call
        it, beside the machine's own.  A port that is taken is passed over for the next one.
        Raises ValueError for a wrong address, RuntimeError if Rerun does not start.
        """
        sdk = rerun()
        check_address(address, 'address')
        self._servers = ViewerServers(memory)
        try:
            self._page, self.port = self._page_on(address, port, KnownHosts(names))
        except BaseException:
            self._servers.close()
            raise
        batches = sdk.ChunkBatcherConfig.DEFAULT()
        batches.flush_tick = TOGETHER
        self.recording = sdk.RecordingStream(NAME, batcher_config=batches)
        self.recording.connect_grpc(self._servers.url, default_blueprint=layout)
        self.url = url_of(address, self.port)

    def problem(self):
        """Return why nothing can be shown any more, in words, None if it can."""
        return self._servers.problem()

    def close(self):
        """Send the remaining data, and end."""
        self._page.close()
        ending = Thread(target=self.recording.disconnect, daemon=True)
        ending.start()
        ending.join(LAST)           # it waits for a server that stands still as long as that lives
        self._servers.close()
        ending.join(LAST)

    def _page_on(self, address: str, first: int, hosts: KnownHosts):
        """Return (page, port) with the first free port from one on."""
        for port in range(first, min(first + NEXT, 65536)):
            with suppress(OSError):
                return ViewerPage(address, port, self._servers, hosts), port
        raise ValueError(f'no port is free from {first} on')
