"""A run of the three-simulation method with known errors, and a browser to look at pages."""

from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from html.parser import HTMLParser
import json
import os
from pathlib import Path
import re
import shutil
import signal
import subprocess
import sys

import numpy as np
import pytest

from mb_evaluation.run_log.accuracy_log import AccuracyLog
from mb_evaluation.run_log.run_log import Counters
from mb_model import load_mechanism
from mb_sensors import sensors_of

sys.path.insert(0, str(Path(__file__).parent))      # what several test files import
sys.path.append(str(Path(__file__).parents[2] / 'mb_model' / 'test'))       # mechanisms in space

START = 1_000_000_000       # [ns]
CHROMIUM = next(filter(None, map(shutil.which, ('chromium', 'chromium-browser', 'google-chrome'))),
                None)
ALONE = ('--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
         '--disable-background-networking', '--disable-component-update', '--disable-sync',
         '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost')
ASKED_FOR = ('document.body.dataset.asked = JSON.stringify('
             'performance.getEntriesByType("resource").map((one) => one.name))')


@pytest.fixture
def filled_run():
    """Return a function that makes such a run."""
    return fill


def fill(observer_error=0.01, skip=(), duration=3.0):
    """Return a run with a model 1 rad off; the observer misses the states numbered in skip."""
    mechanism = load_mechanism('four_bar')
    sensor, = sensors_of(mechanism, 'crank_encoder')
    sensor = sensor.with_settings(replace(sensor.settings, rate=100.0))
    run = AccuracyLog(START, duration, 100.0, [sensor])
    for k, stamp in enumerate(run.expected.tolist()):
        run.counters = Counters(stamp, used=k + 1)
        t = 0.01 * k
        z, zd, zdd = np.array([np.sin(3 * t), 3 * np.cos(3 * t), -9 * np.sin(3 * t)])[:, None]
        run.add_state('prototype', t, stamp, ['theta'], z, zd, zdd, np.empty((0, 0)))
        run.add_state('model', t, stamp, ['theta'], z + 1.0, zd, zdd, np.empty((0, 0)))
        if k and k not in skip:
            run.add_state('observer', t + 0.001, stamp, ['theta'], z + observer_error, zd,
                          zdd, np.diag([1e-4, 1e-2]))
            innovation = 0.01 * (-1) ** (k // 16)
            run.add_innovation(stamp, ['crank_encoder'], [innovation], [1e-4], 1.0, 2e-5)
    return run


@pytest.fixture
def opened(tmp_path):
    """Return a function that opens a page in a headless browser: a Browsed."""
    if CHROMIUM is None:
        pytest.skip('no Chromium is installed: apt-get install chromium')
    return lambda page, script='', size='1200,900': Browsed(page, script, size, tmp_path)


@pytest.fixture
def browsing(tmp_path):
    """Return a function that lets a headless browser look at an address, as a context."""
    if CHROMIUM is None:
        pytest.skip('no Chromium is installed: apt-get install chromium')
    return partial(looking_at, tmp_path)


@contextmanager
def looking_at(folder, address, size='900,600'):
    """Give the process of a browser that draws by software; its console is in what it prints."""
    browser = subprocess.Popen(
        [CHROMIUM, *(word for word in ALONE if word != '--disable-gpu'), '--use-angle=swiftshader',
         '--enable-unsafe-swiftshader', f'--user-data-dir={folder / "profile"}',
         f'--window-size={size}', '--enable-logging=stderr', '--remote-debugging-port=0', address],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        yield browser
    finally:
        os.killpg(browser.pid, signal.SIGKILL)
        browser.communicate()


class Browsed:
    """A page as a browser shows it once its scripts have run.

    dom: the document; console: what the page said there; requests: addresses that it asked for;
    rows: texts of all cells of tables, row by row; body: attributes of that.
    """

    def __init__(self, page, script, size, folder):
        """Open a file in a window of a size, then run a script (JavaScript) of our own."""
        driven = folder / 'driven.html'
        driven.write_text(page.read_text('utf-8').replace(
            '</body>', f'<script>{script};{ASKED_FOR}</script></body>'), 'utf-8')
        ended = subprocess.run(
            [CHROMIUM, *ALONE, f'--user-data-dir={folder / "profile"}', f'--window-size={size}',
             '--enable-logging=stderr', '--virtual-time-budget=10000', '--dump-dom',
             driven.as_uri()], capture_output=True, text=True, timeout=240, check=True)
        self.dom = ended.stdout
        self.console = re.findall(r'CONSOLE[^"]*"(.*)"', ended.stderr)
        cells = Cells()
        cells.feed(self.dom)
        self.rows, self.body = cells.rows, cells.body
        self.requests = json.loads(self.body['data-asked'])

    @property
    def traces(self):
        """How many traces plotly.js has drawn."""
        return self.dom.count('class="trace scatter')


class Cells(HTMLParser):
    """Collects the texts of the cells of all tables, and the attributes of the body."""

    def __init__(self):
        super().__init__()
        self.rows, self.body, self._inside = [], {}, False

    def handle_starttag(self, tag, attrs):
        if tag == 'body':
            self.body = dict(attrs)
        elif tag == 'tr':
            self.rows.append([])
        elif tag in ('td', 'th'):
            self.rows[-1].append('')
            self._inside = True

    def handle_endtag(self, tag):
        self._inside &= tag not in ('td', 'th')

    def handle_data(self, data):
        if self._inside:
            self.rows[-1][-1] += data
