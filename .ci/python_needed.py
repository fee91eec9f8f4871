"""End with a message where the Python that runs this is too old for the packages.

Old ones can read it: make runs it first, with the one that environments are made with.
"""

import sys

LEAST = 3, 11

if sys.version_info < LEAST:
    needed, given = (f'{version[0]}.{version[1]}' for version in (LEAST, sys.version_info))
    sys.exit(f'mb_state_estimation needs Python {needed} or newer, and {sys.executable} is {given}.'
             '\nName another one, such as: make PYTHON=python3.11 demo')
