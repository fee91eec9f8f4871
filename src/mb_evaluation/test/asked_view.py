"""A LiveServer that tests ask, in a process of its own."""

import json
from pathlib import Path
import socket
import subprocess
import sys

READ = '/rerun.sdk_comms.v1alpha1.MessageProxyService/ReadMessages'


def free_port():
    """Return a port of this machine that is free."""
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


class ServedView:
    """A LiveServer with something to show, on a free port or on one that is given."""

    def __init__(self, address='127.0.0.1', port=None, *names):
        self._process = subprocess.Popen(
            [sys.executable, Path(__file__).with_name('served_view.py'), address,
             str(port or free_port()), *names],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    @property
    def pid(self):
        """Its process id."""
        return self._process.pid

    def ask(self, line):
        """Return its answer to a line."""
        self._process.stdin.write(line + '\n')
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def __enter__(self):
        ports = self.ask('ports')
        self.page, self.data = ports['page'], ports['data']
        return self

    def __exit__(self, *_):
        self._process.communicate()
        assert self._process.returncode == 0
