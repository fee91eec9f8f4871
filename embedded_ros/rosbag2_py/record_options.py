"""What a recorder records."""
from dataclasses import dataclass, field
from datetime import timedelta


@dataclass
class RecordOptions:
    """Which topics are recorded, and how they are found."""

    all_topics: bool = False
    topics: list = field(default_factory=list)
    topic_types: list = field(default_factory=list)
    regex: str = ''
    exclude_regex: str = ''
    exclude_topics: list = field(default_factory=list)
    exclude_topic_types: list = field(default_factory=list)
    include_hidden_topics: bool = False
    include_unpublished_topics: bool = False
    ignore_leaf_topics: bool = False
    is_discovery_disabled: bool = False
    topic_polling_interval: timedelta = timedelta(milliseconds=100)
    topic_qos_profile_overrides: dict = field(default_factory=dict)
    start_paused: bool = False
    use_sim_time: bool = False
    disable_keyboard_controls: bool = False
    compression_mode: str = ''
    compression_format: str = ''
    compression_queue_size: int = 1
    compression_threads: int = 0
    compression_threads_priority: int = 0
