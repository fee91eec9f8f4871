"""Addresses of this machine on which a page is served, and by which browsers may ask for it."""

from collections.abc import Iterable
from email.message import Message
from ipaddress import ip_address
import re
import socket

LOOPBACK = '127.0.0.1'
_HOST = re.compile(r'(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?')


def check_address(text: str, name: str = 'view_address'):
    """Raise ValueError unless a text is an IP address of this machine; name: of the setting."""
    try:
        address = ip_address(text)
    except ValueError:
        raise ValueError(f'{name}: {text!r} must be an IP address of this machine: {LOOPBACK} for '
                         'browsers on it, 0.0.0.0 for browsers of all networks') from None
    try:
        if address.is_multicast or (address.is_reserved and address.version == 4):
            raise OSError(0, 'is of no single machine')
        with socket.socket(family_of(text)) as probe:
            probe.bind((text, 0))
    except OSError as error:
        raise ValueError(f'{name}: {text}: {error.strerror}') from None


def family_of(address: str):
    """Return the address family of an IP address."""
    return socket.AF_INET6 if ':' in address else socket.AF_INET


def url_of(address: str, port: int):
    """Return where a browser finds the page on an IP address and port."""
    parsed = ip_address(address)
    if parsed.is_unspecified:
        return f'http://{socket.gethostname()}:{port}'
    if address == LOOPBACK:
        return f'http://localhost:{port}'
    return f'http://[{address}]:{port}' if parsed.version == 6 else f'http://{address}:{port}'


class KnownHosts:
    """The names by which browsers may call this machine.

    A page of a stranger reaches a server of this machine by a name that it lets point here (DNS
    rebinding); the browser then sends that name.  So only our own names are answered, and
    addresses, which point nowhere else.
    """

    def __init__(self, names: Iterable[str] = ()):
        """Set up; names: beside localhost and the machine's own, without a port."""
        own = socket.gethostname()
        short = own.partition('.')[0]
        self._names = {name.lower().rstrip('.') for name in (
            'localhost', own, short, f'{short}.local', *names) if name}

    def problem(self, headers: Message):
        """Return why a request is not answered, in words, None if it is.

        headers: of the request, an http.client.HTTPMessage.
        """
        hosts = headers.get_all('Host', [])
        if len(hosts) != 1 or self.split(hosts[0]) is None:
            return 'the header Host is not the name of this machine'
        if any(origin.lower() != f'http://{hosts[0]}'.lower()
               for origin in headers.get_all('Origin', [])):
            return 'the header Origin is of another page'
        site, mode = headers.get('Sec-Fetch-Site', 'none'), headers.get('Sec-Fetch-Mode')
        if site not in ('none', 'same-origin') and (
                mode != 'navigate' or headers.get('Sec-Fetch-Dest') != 'document'):
            return 'another page asks'
        return None

    def split(self, host: str):
        """Return (name, port) of a header Host; None if it is not of this machine."""
        match = _HOST.fullmatch(host)
        if not match:
            return None
        name, port = match[1], int(match[2] or 80)
        try:
            ip_address(name.strip('[]'))
        except ValueError:
            if name.lower().rstrip('.') not in self._names:
                return None
        return (name, port) if 0 < port < 65536 else None
