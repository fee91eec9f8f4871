"""Test processes side by side are in domains of their own."""

import os
import subprocess
import sys

from mb_ros.own_domain import claimed, own_domain

# As the test process asks, with its process id.
OTHER = """
import os
os.getpid = lambda: {pid}
from mb_ros.own_domain import own_domain
print(*(own_domain(place) for place in {places}))
"""
PLACES = (0, 1, 40)


def test_a_place_keeps_its_domain():
    domains = [own_domain(place) for place in PLACES]
    assert len(set(domains)) == len(PLACES)
    assert domains == [own_domain(place) for place in PLACES]
    assert own_domain() == own_domain(0)
    assert all(1 <= domain <= 100 for domain in domains)
    assert not any(map(claimed, domains))


def test_another_process_takes_no_domain_of_this_one():
    ours = {own_domain(place) for place in PLACES}
    printed = subprocess.run(
        [sys.executable, '-c', OTHER.format(pid=os.getpid(), places=PLACES)], text=True,
        check=True, capture_output=True).stdout
    assert len(printed.split()) == len(PLACES)
    assert not ours & set(map(int, printed.split()))
