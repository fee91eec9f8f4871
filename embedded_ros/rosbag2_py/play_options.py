"""How a bag is played."""
from dataclasses import dataclass, field


@dataclass
class PlayOptions:
    """Which topics are played, when, and how fast; times in seconds unless the name says ns."""

    rate: float = 1.0
    topics_to_filter: list = field(default_factory=list)
    regex_to_filter: str = ''
    exclude_topics_to_filter: list = field(default_factory=list)
    exclude_regex_to_filter: str = ''
    topic_qos_profile_overrides: dict = field(default_factory=dict)
    topic_remapping_options: list = field(default_factory=list)
    loop: bool = False
    delay: float = 0.0
    start_offset: float = 0.0
    playback_duration: float = -1.0             # < 0: to the end
    playback_until_timestamp: int = -1          # [ns], < 0: to the end
    start_paused: bool = False
    clock_publish_frequency: float = 0.0        # [Hz], 0: no /clock
    clock_publish_on_topic_publish: bool = False
    clock_topics: list = field(default_factory=list)
    wait_acked_timeout: int = -1                # [ms]
    disable_keyboard_controls: bool = False
