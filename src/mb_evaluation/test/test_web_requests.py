"""Requests that a page of this machine may get from any program, and what it answers.

Against DNS rebinding, pages of others, and whatever is no request at all.
"""

from http.client import HTTPMessage, parse_headers
from io import BytesIO
from pathlib import Path
import re
import socket
import struct
import time

from hypothesis import HealthCheck, example, given, settings, strategies as st
import pytest

from mb_evaluation.live import addresses, server

pytest.importorskip('rerun', reason=f'the view in a browser needs {server.NEEDED}')
from asked_view import READ, ServedView

OTHER = 'robot.lan'     # a name that the user gave
WRITE = READ.replace('Read', 'Write')
ASKED = ('GET /', 'GET /?url=x', 'GET /re_viewer.js', 'GET /no_such_file', f'GET {READ}',
         'GET /../../etc/passwd', 'GET //evil.org/x', 'GET http://evil.org/', 'GET /%0d%0aX:y',
         'HEAD /', 'OPTIONS /', f'OPTIONS {READ}', 'PUT /', 'TRACE /', 'CONNECT evil.org:80',
         f'POST {WRITE}', 'POST /', 'POST /rerun.cloud.v1alpha1.RerunCloudService/Query',
         f'POST {READ}')
NOT_OURS = (
    'evil.org', 'evil.org:9090', 'localhost.evil.org', '127.0.0.1.evil.org', '127.1', 'localhost@e',
    'localhost:9090.evil.org', 'localhost,evil.org', '"><script>alert(1)</script>', 'localhost:',
    'localhost:99999', '2130706433', '0x7f.1', '[::1].evil.org', '::1', 'a b', '', '\xff',
    "localhost'\"")
POLICY = ("default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'",
          "connect-src 'self' data: blob:;", "script-src 'self'")


@pytest.fixture(scope='module')
def page():
    """The port of a page that is served to this machine."""
    with ServedView('127.0.0.1', None, OTHER) as served:
        yield served.page


def asked(port, request):
    """Return (code, headers, body) of the answer to bytes; the body as far as it comes soon."""
    with socket.create_connection(('127.0.0.1', port), timeout=60.0) as connection:
        connection.sendall(request)
        answer = b''
        while b'\r\n\r\n' not in answer and (piece := connection.recv(65536)):
            answer += piece
        head, _, body = answer.partition(b'\r\n\r\n')
        first, _, lines = head.partition(b'\r\n')
        headers = parse_headers(BytesIO(lines + b'\r\n\r\n'))
        length = int(headers.get('Content-Length', 0))
        while len(body) < length and (piece := connection.recv(65536)):
            body += piece
    return int(first.split()[1]), headers, body


def request(line, host=b'localhost', *headers, version='HTTP/1.1'):
    """Return the bytes of a request; header Host and others: bytes."""
    return b'\r\n'.join([f'{line} {version}'.encode(), b'Host: ' + host, *headers,
                         b'Content-Length: 5' if line.startswith('POST') else b'X: y', b'',
                         bytes(5) if line.startswith('POST') else b''])


def assert_guarded(headers):
    """Raise AssertionError unless the headers keep browsers to themselves."""
    policy = headers['Content-Security-Policy']
    for rule in POLICY:
        assert rule in policy
    assert "'unsafe-eval'" not in policy
    assert "'unsafe-inline'" not in re.search('script-src ([^;]*)', policy)[1]
    assert not re.search('https?:|[*]', policy)
    assert headers['X-Content-Type-Options'] == 'nosniff'
    assert headers['Cross-Origin-Resource-Policy'] == 'same-origin'
    assert headers['X-Frame-Options'] == 'DENY'
    assert not [name for name in headers if name.lower().startswith('access-control')]


@pytest.mark.parametrize('line', ASKED)
@pytest.mark.parametrize('host', ['localhost', 'evil.org'])
def test_every_answer_comes_with_the_policy(page, line, host):
    code, headers, body = asked(page, request(line, host.encode()))
    assert_guarded(headers)
    assert b'evil' not in body
    assert 'evil' not in str(headers)
    if host == 'evil.org':
        assert code in (403, 501)


@pytest.mark.parametrize('nonsense', [
    b'GET /\r\n\r\n', b'GET / HTTP/1.0\r\n\r\n', b'GET / HTTP/1.0\r\nHost: localhost\r\n\r\n',
    b'\x16\x03\x01\r\n\r\n', b'GET / HTTP/9.9\r\n\r\n', b'GET / HTTP/x\r\n\r\n',
    b'\xff \xff \xff\r\n\r\n',
    b'GET / HTTP/1.1\r\n\r\n', b'GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n',
    b'GET / HTTP/1.1\r\nHost: localhost\r\n' + b'X: y\r\n' * 200 + b'\r\n',
    b'GET /' + b'x' * 70000 + b' HTTP/1.1\r\n\r\n',
    b'<script>alert(1)</script> / HTTP/1.1\r\n\r\n'])
def test_nonsense_is_refused_with_the_policy(page, nonsense):
    code, headers, body = asked(page, nonsense)
    assert 400 <= code < 600
    assert_guarded(headers)
    assert headers['Content-Type'] == 'text/plain'
    assert b'<' not in body


def headers_of(**values):
    found = HTTPMessage()
    for name, value in values.items():
        found[name.replace('_', '-')] = value
    return found


OURS = addresses.KnownHosts([OTHER])
OWN = socket.gethostname().lower()
KNOWN = {'localhost', OWN, OWN.partition('.')[0], f'{OWN.partition(".")[0]}.local', OTHER}


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.one_of(st.text(max_size=30), st.from_regex(r'[a-z.\-0-9\[\]:]{1,30}', fullmatch=True)))
@example('localhost')
@example('[::1]:9090')
def test_only_names_of_this_machine_are_answered(host):
    found = OURS.split(host)
    if found is None:
        return
    name, port = found
    assert 0 < port < 65536
    assert re.fullmatch(r'[A-Za-z0-9.:_\[\]-]+', name)
    assert name.lower().rstrip('.') in KNOWN or re.fullmatch(
        r'\d{1,3}(\.\d{1,3}){3}|\[[0-9A-Fa-f:.]+\]', name)


@pytest.mark.parametrize('host', NOT_OURS)
def test_a_name_that_is_not_ours_is_refused(page, host):
    assert OURS.split(host) is None
    code, headers, body = asked(page, request('GET /', host.encode('latin-1')))
    assert code == 403
    assert 'Location' not in headers
    assert not host or host.encode('latin-1') not in body


@pytest.mark.parametrize('host', ['localhost', 'LocalHost:9090', '127.0.0.1:9090', '[::1]:9090',
                                  f'{OTHER}:80', socket.gethostname(), '10.1.2.3:9090'])
def test_our_names_lead_to_the_data_at_the_same_place(page, host):
    code, headers, _ = asked(page, request('GET /', host.encode()))
    name, port = OURS.split(host)
    where = f'{name}:{port}'.replace(':', '%3A').replace('[', '%5B').replace(']', '%5D')
    assert (code, headers['Location']) == (302, f'/?url=rerun%2Bhttp%3A%2F%2F{where}%2Fproxy')


@pytest.mark.parametrize(('values', 'welcome'), [
    ({'Origin': 'http://localhost:9090'}, True), ({'Origin': 'http://LOCALHOST:9090'}, True),
    ({'Origin': 'http://localhost:9876'}, False), ({'Origin': 'https://localhost:9090'}, False),
    ({'Origin': 'http://evil.org'}, False), ({'Origin': 'null'}, False), ({'Origin': ''}, False),
    ({'Origin': 'http://localhost:9090.evil.org'}, False),
    ({'Sec_Fetch_Site': 'same-origin', 'Sec_Fetch_Mode': 'cors'}, True),
    ({'Sec_Fetch_Site': 'cross-site', 'Sec_Fetch_Mode': 'no-cors'}, False),
    ({'Sec_Fetch_Site': 'same-site', 'Sec_Fetch_Mode': 'cors'}, False),
    ({'Sec_Fetch_Site': 'cross-site', 'Sec_Fetch_Mode': 'navigate',
      'Sec_Fetch_Dest': 'document'}, True),
    ({'Sec_Fetch_Site': 'cross-site', 'Sec_Fetch_Mode': 'navigate',
      'Sec_Fetch_Dest': 'iframe'}, False)])
def test_pages_of_others_get_nothing(page, values, welcome):
    problem = OURS.problem(headers_of(Host='localhost:9090', **values))
    assert (problem is None) == welcome
    lines = [f'{name.replace("_", "-")}: {value}'.encode() for name, value in values.items()]
    code, _, _ = asked(page, request('GET /re_viewer.js', b'localhost:9090', *lines))
    assert code == (200 if welcome else 403)


@pytest.mark.parametrize('line', [f'POST {WRITE}', 'POST /', f'POST {READ}/x', f'POST {READ}?x',
                                  'POST /rerun.cloud.v1alpha1.RerunCloudService/ReadX'])
def test_only_reading_is_passed_on(page, line):
    assert asked(page, request(line))[0] == 404


@pytest.mark.parametrize(('length', 'code'), [
    ('', 411), ('-1', 411), ('1e3', 411), ('9' * 30, 411), ('65537', 413)])
def test_a_long_or_endless_request_is_refused(page, length, code):
    lines = b'POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %s\r\n\r\n' % (
        READ.encode(), length.encode())
    assert asked(page, lines)[0] == code


@pytest.mark.parametrize('text', ['', 'localhost', 'nonsense', '127.0.0.1:80', '1.2.3', '300.1.1.1',
                                  '203.0.113.7', '224.0.0.1', '255.255.255.255', '2001:db8::7'])
def test_an_address_that_is_not_of_this_machine_is_named(text):
    with pytest.raises(ValueError, match=r'^view_address: '):
        addresses.check_address(text)


@pytest.mark.parametrize('text', ['127.0.0.1', '127.9.9.9', '0.0.0.0'])
def test_an_address_of_this_machine_is_taken(text):
    addresses.check_address(text)


def connections(url):
    """Return how many connections there are to where an url leads, on this machine."""
    address, port = re.search(r'//([\d.]+):(\d+)/', url).groups()
    number, = struct.unpack('=I', socket.inet_aton(address))
    lines = Path('/proc/net/tcp').read_text().splitlines()[1:]
    return sum(line.split()[2] == f'{number:08X}:{int(port):04X}' for line in lines)


@pytest.mark.skipif(not Path('/proc/net/tcp').exists(), reason='connections are read from /proc')
def test_a_browser_shows_the_data_under_the_policy(browsing):
    """Until the viewer runs, all that it asks for and may not have is a font of a stranger."""
    with ServedView() as served:
        alone = connections(served.data)
        with browsing(f'http://localhost:{served.page}/') as browser:
            printed = []
            while not any('Wasm loaded' in line for line in printed):
                printed.append(browser.stderr.readline())
                assert printed[-1], printed
            end = time.monotonic() + 120.0
            while connections(served.data) == alone:
                assert time.monotonic() < end, 'the viewer does not ask for the data'
                time.sleep(0.1)
        refused = [line for line in printed if 'violates' in line or 'Refused' in line]
        assert all('fonts.googleapis.com' in line for line in refused), refused
