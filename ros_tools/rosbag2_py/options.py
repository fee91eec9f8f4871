"""How a bag is opened, stored, filtered, recorded and played."""
from dataclasses import dataclass, field

DEFAULT_CACHE_SIZE = 100 * 1024 * 1024      # [byte]


@dataclass
class StorageOptions:
    """Where a bag is, and how its file is written."""

    uri: str
    storage_id: str = ''
    max_cache_size: int = 0                 # [byte]
    storage_preset_profile: str = ''


@dataclass
class ConverterOptions:
    """Serialization formats; here always CDR."""

    input_serialization_format: str = ''
    output_serialization_format: str = ''


@dataclass
class StorageFilter:
    """Which topics are read: named ones (none named: all), without excluded ones."""

    topics: list = field(default_factory=list)
    exclude_topics: list = field(default_factory=list)

    def lets_through(self, topic):
        """Whether a topic is to be read."""
        return (not self.topics or topic in self.topics) and topic not in self.exclude_topics


@dataclass
class RecordOptions:
    """Which topics are recorded, and how."""

    all_topics: bool = False
    topics: list = field(default_factory=list)
    topic_qos_profile_overrides: dict = field(default_factory=dict)
    compression_mode: str = ''
    compression_format: str = ''


@dataclass
class PlayOptions:
    """Which topics are played, when, and how fast; times in seconds."""

    rate: float = 1.0
    topics_to_filter: list = field(default_factory=list)
    exclude_topics_to_filter: list = field(default_factory=list)
    topic_qos_profile_overrides: dict = field(default_factory=dict)
    topic_remapping_options: list = field(default_factory=list)
    loop: bool = False
    delay: float = 0.0
    start_offset: float = 0.0
    start_paused: bool = False
    clock_publish_frequency: float = 0.0        # [Hz], 0: no /clock
