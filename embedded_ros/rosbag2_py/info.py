"""What is in a bag."""
from pathlib import Path

from rosbag2_py.metadata import MetadataIo
from rosbag2_py.reader import SequentialReader


class Info:
    """Reads the metadata of a bag."""

    def read_metadata(self, uri, storage_id=''):
        """BagMetadata of a bag, or of a single file of one.  Raises BagError."""
        if Path(uri).is_dir():
            return MetadataIo().read_metadata(uri)
        reader = SequentialReader()
        reader.open_uri(uri)
        try:
            return reader.get_metadata()
        finally:
            reader.close()
