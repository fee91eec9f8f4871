"""New metadata for a bag that lost its own, as after a crash."""
from pathlib import Path

from rosbag2_py.info import Info
from rosbag2_py.mcap_mending import mend
from rosbag2_py.metadata import BagError, BagMetadata, MetadataIo


class Reindexer:
    """Writes metadata.yaml from what the files of a bag contain."""

    def reindex(self, storage_options):
        """Close its files where need be, read them, write the metadata.  Raises BagError."""
        folder = Path(storage_options.uri)
        paths = sorted((path for path in folder.glob('*') if path.suffix in ('.db3', '.mcap')),
                       key=lambda path: (len(path.name), path.name))
        if not paths:
            raise BagError(f'{folder}: no files of a bag there')
        for path in paths:
            if path.suffix == '.mcap':
                mend(path)
        parts = [Info().read_metadata(str(path)) for path in paths]
        filled = [part for part in parts if part.message_count] or parts[:1]
        start = min(part.starting_time_ns for part in filled)
        end = max(part.starting_time_ns + part.duration_ns for part in filled)
        MetadataIo().write_metadata(folder, BagMetadata(
            storage_identifier=parts[0].storage_identifier,
            relative_file_paths=[path.name for path in paths],
            files=[file for part in parts for file in part.files],
            starting_time_ns=start, duration_ns=end - start,
            message_count=sum(part.message_count for part in parts),
            topics_with_message_count=merged_topics(parts)))


def merged_topics(parts):
    """TopicInformation of all files together."""
    topics = {}
    for part in parts:
        for information in part.topics_with_message_count:
            first = topics.setdefault(information.topic_metadata.name, information)
            if first is not information:
                first.message_count += information.message_count
    return list(topics.values())
