"""What metadata.yaml says of a bag."""
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePath

import yaml

from rosbag2_py.parts import part_of
from rosbag2_py.qos import qos_from_dict, qos_list_from_metadata, qos_to_dict

VERSION = 9
FILE_NAME = 'metadata.yaml'
ROOT_KEY = 'rosbag2_bagfile_information'
UNKNOWN = 'unknown'
RELEASES = {'7': 'jazzy', '9': 'kilted'}        # of ROS 2, by the major version of rclpy


def distribution_of(rclpy):
    """Return the distribution of ROS 2 that has a version of rclpy."""
    return RELEASES.get(rclpy.partition('.')[0], UNKNOWN)


try:
    ROS_DISTRO = distribution_of(version('rclpy'))
except PackageNotFoundError:
    ROS_DISTRO = UNKNOWN


class BagError(RuntimeError):
    """A bag that cannot be read or written; the text is for the user."""


@dataclass
class TopicMetadata:
    """Name, type and offered QoS (rclpy QoSProfiles) of a topic."""

    id: int
    name: str
    type: str
    serialization_format: str
    offered_qos_profiles: list = field(default_factory=list)
    type_description_hash: str = ''


@dataclass
class TopicInformation:
    """A topic and how many messages of it there are."""

    topic_metadata: TopicMetadata
    message_count: int = 0


@dataclass
class FileInformation:
    """One file of a bag; times in nanoseconds."""

    path: str
    starting_time_ns: int = 0
    duration_ns: int = 0
    message_count: int = 0

    @property
    def starting_time(self):
        return _time(self.starting_time_ns)

    @property
    def duration(self):
        return _duration(self.duration_ns)


@dataclass
class BagMetadata:
    """The whole bag; times in nanoseconds, size in bytes."""

    version: int = VERSION
    bag_size: int = 0
    storage_identifier: str = ''
    relative_file_paths: list = field(default_factory=list)
    files: list = field(default_factory=list)
    duration_ns: int = 0
    starting_time_ns: int = 0
    message_count: int = 0
    topics_with_message_count: list = field(default_factory=list)
    compression_format: str = ''
    compression_mode: str = ''
    custom_data: dict = field(default_factory=dict)
    ros_distro: str = ROS_DISTRO

    @property
    def starting_time(self):
        return _time(self.starting_time_ns)

    @property
    def duration(self):
        return _duration(self.duration_ns)


def _time(nanoseconds):
    from rclpy.time import Time
    return Time(nanoseconds=nanoseconds)


def _duration(nanoseconds):
    from rclpy.duration import Duration
    return Duration(nanoseconds=nanoseconds)


def metadata_to_dict(metadata):
    """The content of metadata.yaml below its root key."""
    return {
        'version': metadata.version,
        'storage_identifier': metadata.storage_identifier,
        'duration': {'nanoseconds': metadata.duration_ns},
        'starting_time': {'nanoseconds_since_epoch': metadata.starting_time_ns},
        'message_count': metadata.message_count,
        'topics_with_message_count': [
            {
                'topic_metadata': topic_to_dict(topic.topic_metadata),
                'message_count': topic.message_count,
            }
            for topic in metadata.topics_with_message_count
        ],
        'compression_format': metadata.compression_format,
        'compression_mode': metadata.compression_mode,
        'relative_file_paths': list(metadata.relative_file_paths),
        'files': [
            {
                'path': file.path,
                'starting_time': {'nanoseconds_since_epoch': file.starting_time_ns},
                'duration': {'nanoseconds': file.duration_ns},
                'message_count': file.message_count,
            }
            for file in metadata.files
        ],
        'custom_data': metadata.custom_data or None,
        'ros_distro': metadata.ros_distro,
    }


def metadata_to_yaml(metadata):
    """The text of metadata as files of a bag have it in them."""
    return yaml.safe_dump(metadata_to_dict(metadata), sort_keys=False)


def topic_to_dict(topic):
    """The entry of a topic's metadata."""
    return {
        'name': topic.name,
        'type': topic.type,
        'serialization_format': topic.serialization_format,
        'offered_qos_profiles': [qos_to_dict(qos) for qos in topic.offered_qos_profiles],
        'type_description_hash': topic.type_description_hash,
    }


def metadata_from_dict(entry):
    """BagMetadata of the content of metadata.yaml.  Raises KeyError, TypeError, ValueError."""
    topics = [
        TopicInformation(topic_from_dict(number, topic['topic_metadata']),
                         integer(topic['message_count']))
        for number, topic in enumerate(entry['topics_with_message_count'])]
    files = [
        FileInformation(text(file['path']),
                        integer(file['starting_time']['nanoseconds_since_epoch']),
                        integer(file['duration']['nanoseconds']), integer(file['message_count']))
        for file in entry.get('files') or []]
    return BagMetadata(
        version=integer(entry['version']), storage_identifier=text(entry['storage_identifier']),
        relative_file_paths=[text(path) for path in entry['relative_file_paths']], files=files,
        duration_ns=integer(entry['duration']['nanoseconds']),
        starting_time_ns=integer(entry['starting_time']['nanoseconds_since_epoch']),
        message_count=integer(entry['message_count']), topics_with_message_count=topics,
        compression_format=text(entry.get('compression_format') or ''),
        compression_mode=text(entry.get('compression_mode') or ''),
        custom_data=dict(entry.get('custom_data') or {}),
        ros_distro=text(entry.get('ros_distro') or 'unknown'))


def integer(value):
    """A number of 63 bits that is not negative.  Raises ValueError."""
    if type(value) is not int or not 0 <= value < 2 ** 63:
        raise ValueError(f'{value!r} must be a whole number in 0..2^63')
    return value


def text(value):
    """A text.  Raises ValueError."""
    if not isinstance(value, str):
        raise ValueError(f'{value!r} must be a text')
    return value


def topic_from_dict(number, entry):
    """TopicMetadata of its entry."""
    return TopicMetadata(
        number,
        text(entry['name']),
        text(entry['type']),
        text(entry['serialization_format']),
        offered_profiles(entry['name'], entry.get('offered_qos_profiles')),
        text(entry.get('type_description_hash') or ''),
    )


def offered_profiles(topic, value):
    """The QoS profiles of a topic's metadata; one that cannot be is left out, and logged."""
    profiles = []
    try:
        entries = list(qos_list_from_metadata(value))
    except Exception as error:      # of YAML: there is no end of kinds
        log_left_out(topic, 'all of it', error)
        return profiles
    for number, entry in enumerate(entries, 1):
        try:
            profiles.append(qos_from_dict(entry))
        except Exception as error:      # of texts, numbers: as above
            log_left_out(topic, f'number {number}', error)
    return profiles


def log_left_out(topic, what, error):
    """Log that QoS profiles of a topic are not understood."""
    from rclpy.logging import get_logger
    words = ' '.join(str(error).split()) or type(error).__name__
    get_logger('rosbag2_metadata').warning(
        f'{topic}: offered_qos_profiles: {what} is left out: {words}')


class MetadataIo:
    """Reads and writes metadata.yaml in a bag's folder."""

    def read_metadata(self, uri):
        """BagMetadata of the bag.  Raises BagError."""
        path = Path(uri) / FILE_NAME
        if Path(uri).is_dir() and not path.exists():
            raise BagError(f'{uri}: no {FILE_NAME}; `ros2 bag reindex` writes it where there are '
                           'files of a bag')
        try:
            with open(path, encoding='utf-8') as handle:
                metadata = metadata_from_dict(yaml.safe_load(handle)[ROOT_KEY])
        except OSError as error:
            raise BagError(f'{path}: {error.strerror}') from None
        except Exception as error:      # of YAML, numbers, texts, QoS: there is no end of kinds
            words = ' '.join(str(error).split()) or type(error).__name__
            raise BagError(f'{path}: not the metadata of a bag: {words}') from None
        files = [Path(uri) / PurePath(file).name for file in metadata.relative_file_paths]
        metadata.bag_size = sum(file.stat().st_size for file in files if file.is_file())
        return metadata

    def write_metadata(self, uri, metadata):
        """Write the bag's metadata.yaml; an old one is replaced at once, never half."""
        path = Path(uri) / FILE_NAME
        with part_of(path) as part:
            part.write_text(self.serialize_metadata(metadata), encoding='utf-8')

    def serialize_metadata(self, metadata):
        """The text of metadata.yaml."""
        return yaml.safe_dump({ROOT_KEY: metadata_to_dict(metadata)}, sort_keys=False)
