"""A fingerprint of compiled code's sources, so that numba's cache cannot serve outdated code.

Numba looks only at the file of the function it caches, not at those of the functions compiled into
it.  A record type that carries the fingerprint of all of them in a field's name is another type
after a change, and what takes that record is compiled anew.
"""

from hashlib import sha256
from pathlib import Path


def fingerprint(*folders):
    """Return eight hexadecimal digits for the Python files in folders."""
    digest = sha256()
    for folder in folders:
        for file in sorted(Path(folder).glob('*.py')):
            digest.update(file.name.encode() + b'\0' + file.read_bytes() + b'\0')
    return digest.hexdigest()[:8]
