"""Room on the disk that a bag keeps for its end."""
import os

STEP = 2 ** 20          # [byte] that the room grows by
METADATA = 2 ** 18      # of these for metadata.yaml
NAME = '.reserve'


class Reserve:
    """A file that is given up when the bag is closed, so that a full disk still lets it.

    The greater part makes room for indices, the rest becomes metadata.yaml.
    """

    def __init__(self, folder):
        """Take the room; where there is none, do without."""
        self._path, self._size = folder / NAME, 0
        try:
            self.hold(0)
        except OSError:
            self._path.unlink(missing_ok=True)

    def hold(self, size):
        """Have room for so much [byte] beside the metadata.  Raises OSError where there is none."""
        wanted = -(-(size + METADATA) // STEP) * STEP
        if wanted > self._size:
            with open(self._path, 'ab') as file:
                os.posix_fallocate(file.fileno(), 0, wanted)
            self._size = wanted

    def release(self):
        """Give up all but the room for the metadata."""
        if self._path.exists():
            os.truncate(self._path, METADATA)

    def become(self, path, text):
        """Turn into a file with a text, in the room that is left.  Raises OSError."""
        with open(self._path, 'r+b' if self._path.exists() else 'wb') as file:
            file.write(text.encode())
            file.truncate()
        self._path.replace(path)

    def remove(self):
        """Give up what is left."""
        self._path.unlink(missing_ok=True)
