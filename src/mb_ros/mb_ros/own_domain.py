"""A DDS domain for a test process and its children, apart from others on the machine."""

import os

DOMAINS = 100       # on Linux those above 101 use ports that any program may be given


def own_domain(place=0):
    """Return a domain of this process; other places, 0 to 99, give other domains."""
    return 1 + (os.getpid() + place) % DOMAINS
