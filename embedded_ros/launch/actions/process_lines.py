"""Lines out of pieces of output."""
from collections.abc import Callable


class ProcessLines:
    """Collects bytes and passes on each complete line as text, and what is left by flush()."""

    def __init__(self, write: Callable[[str], None], keep: bool) -> None:
        self._write = write
        self._keep = keep
        self._pieces = []
        self._rest = b''

    @property
    def everything(self) -> bytes:
        """All bytes so far, if they are kept."""
        return b''.join(self._pieces)

    def add(self, data: bytes) -> None:
        if self._keep:
            self._pieces.append(data)
        *lines, self._rest = (self._rest + data).split(b'\n')
        for line in lines:
            self._write(line.rstrip(b'\r').decode(errors='replace'))

    def flush(self) -> None:
        """Pass on an incomplete last line."""
        if self._rest:
            self._write(self._rest.decode(errors='replace'))
            self._rest = b''
