"""A DDS domain for a test process and its children, apart from others on the machine."""

import os
import socket

DOMAINS = 100       # on Linux, domains above 101 use ports that any program may be given
_domains: dict[int, int] = {}       # by number
_claims: list[socket.socket] = []       # held until the process ends


def own_domain(number: int = 0) -> int:
    """Return a domain of this process alone; other numbers, 0 to 99, give other domains.

    Processes claim domains by a TCP port.  Where all are taken, one is shared.
    """
    if number not in _domains:
        wanted = [1 + (os.getpid() + number + further) % DOMAINS for further in range(DOMAINS)]
        _domains[number] = next(filter(claimed, wanted), wanted[0])
    return _domains[number]


def claimed(domain: int) -> bool:
    """Claim a domain until the process ends; return whether it was free."""
    claim = socket.socket()
    try:
        claim.bind(('127.0.0.1', 7400 + 250 * domain))      # DDS has these numbers for UDP
    except OSError:
        claim.close()
        return False
    _claims.append(claim)
    return True
