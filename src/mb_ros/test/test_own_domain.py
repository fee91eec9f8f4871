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
print(*(own_domain(number) for number in {numbers}))
"""
NUMBERS = (0, 1, 40)


def test_a_number_keeps_its_domain():
    domains = [own_domain(number) for number in NUMBERS]
    assert len(set(domains)) == len(NUMBERS)
    assert domains == [own_domain(number) for number in NUMBERS]
    assert own_domain() == own_domain(0)
    assert all(1 <= domain <= 100 for domain in domains)
    assert not any(map(claimed, domains))


def test_another_process_takes_no_domain_of_this_one():
    ours = {own_domain(number) for number in NUMBERS}
    printed = subprocess.run(
        [sys.executable, '-c', OTHER.format(pid=os.getpid(), numbers=NUMBERS)], text=True,
        check=True, capture_output=True).stdout
    assert len(printed.split()) == len(NUMBERS)
    assert not ours & set(map(int, printed.split()))
