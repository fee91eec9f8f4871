"""Room on the disk that a bag keeps for its end."""
import os

SIZE = 2 ** 20          # [byte] for index and metadata of a bag
NAME = '.reserve'


class Reserve:
    """A file that is given up when the bag is closed, so that a full disk still lets it."""

    def __init__(self, folder):
        """Take the room; where there is none, do without."""
        self._path = folder / NAME
        try:
            with open(self._path, 'wb') as file:
                os.posix_fallocate(file.fileno(), 0, SIZE)
        except OSError:
            self.release()

    def release(self):
        """Give the room up."""
        self._path.unlink(missing_ok=True)
