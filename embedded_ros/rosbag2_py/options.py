"""How a bag is opened, stored and filtered."""
from dataclasses import dataclass, field
from enum import Enum

DEFAULT_CACHE_SIZE = 100 * 1024 * 1024      # [byte]


@dataclass
class StorageOptions:
    """Where a bag is, and how its files are written."""

    uri: str
    storage_id: str = ''
    max_bagfile_size: int = 0               # [byte], 0 = no limit
    max_bagfile_duration: int = 0           # [s], 0 = no limit
    max_cache_size: int = 0                 # [byte]
    storage_preset_profile: str = ''
    storage_config_uri: str = ''
    snapshot_mode: bool = False
    start_time_ns: int = -1
    end_time_ns: int = -1
    custom_data: dict = field(default_factory=dict)


@dataclass
class ConverterOptions:
    """Serialization formats; here always CDR."""

    input_serialization_format: str = ''
    output_serialization_format: str = ''


@dataclass
class StorageFilter:
    """Which topics are read: named ones and ones that match `regex`, without excluded ones."""

    topics: list = field(default_factory=list)
    services_events: list = field(default_factory=list)
    regex: str = ''
    exclude_topics: list = field(default_factory=list)
    exclude_service_events: list = field(default_factory=list)
    regex_to_exclude: str = ''


class ReadOrderSortBy(Enum):
    """What the order of messages goes by."""

    ReceivedTimestamp = 0
    PublishedTimestamp = 1
    File = 2


@dataclass
class ReadOrder:
    """The order in which messages are read."""

    sort_by: ReadOrderSortBy = ReadOrderSortBy.ReceivedTimestamp
    reverse: bool = False
