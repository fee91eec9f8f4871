"""Stamps of messages in bags: checked, and set right as far as the user asks for it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rosbags.interfaces import Nodetype
from rosbags.typesys.store import Typestore

from mb_model.bags.messages import BagError
from mb_model.settings.parameter_file import RECORDED, read_parameters
from mb_ros.checked_stamps import NANOSECONDS, CheckedStamps, serialised_fields

LOOK = 6 * NANOSECONDS      # at the beginning of a topic, in which every fault shows [ns]
_WITH_STAMP = 12            # bytes of a message up to the end of its stamp


class BagStamps:
    """The CheckedStamps of the topics of a bag.

    A topic with a fault is refused, or its stamps are repaired, or replaced by the arrival of
    messages as it was recorded.  Malformed ones among good ones are left out.
    """

    def __init__(self, folder: str | Path, kinds: Mapping[str, str], types: Typestore,
                 policy: str | None = None) -> None:
        """Set up for the types of topics, and the store of types.

        policy: one of POLICIES, None: as parameters.yaml beside the bag says, else refuse.
        """
        self._folder = folder
        self._timed = {topic for topic, kind in kinds.items() if _has_header(types, kind)}
        self._policy = policy
        self._checked: dict[str, CheckedStamps] = {}
        self._known: dict[str, str] = {}        # faults by topic
        self._left_out: dict[str, int] = {}

    def is_timed(self, topic: str) -> bool:
        """Return whether messages of a topic have a header."""
        return topic in self._timed

    def look(self, topics: Iterable[str], raw: Callable[[list[str]], Iterator[Any]]) -> None:
        """Look at the beginning of topics for faults of their stamps, before they are read.

        raw(topics): yields (topic, bytes, arrival [ns]).
        """
        topics = [topic for topic in topics if topic in self._timed]
        asked = [topic for topic in topics if topic not in self._known]
        first: dict[str, int] = {}
        looks = {topic: CheckedStamps() for topic in asked}
        for topic, data, arrival in raw(asked) if asked else ():
            if arrival - first.setdefault(topic, arrival) > LOOK:
                if all(topic in first for topic in asked):
                    break
                continue
            if len(data) >= _WITH_STAMP:
                looks[topic].take(*serialised_fields(data), arrival)
        self._known |= {topic: look.fault for topic, look in looks.items()}
        for topic in topics:
            self._checked[topic] = CheckedStamps(self._chosen(), self._known[topic])
            self._left_out[topic] = 0

    def set_right(self, topic: str, message: Any, arrival: int) -> bool:
        """Set the stamp of a message right; return False if it is to be left out.

        Raises BagError for a topic that is refused.
        """
        stamp, checked = message.header.stamp, self._checked[topic]
        time = checked.take(stamp.sec, stamp.nanosec, arrival)
        if checked.fault and checked.policy == 'refuse':
            raise BagError(f'{self._folder}: {topic}: {checked.words}; as --set stamps=repair, or '
                           f'in {RECORDED} beside the bag')
        if time is None:
            self._left_out[topic] += 1
            return False
        stamp.sec, stamp.nanosec = divmod(time, NANOSECONDS)
        return True

    def left_out(self, topic: str) -> int:
        """Return how many messages of a topic were left out since the last `look`."""
        return self._left_out.get(topic, 0)

    @property
    def lines(self) -> list[str]:
        """Lines about topics whose stamps are not as they were sent."""
        lines = []
        for topic, checked in self._checked.items():
            done = ', '.join(f'{count} were {what}' for what, count in checked.counts.items()
                             if what != 'left out')
            if done:
                fault = f'{checked.fault}: ' if checked.fault else ''
                lines.append(f'{self._folder}: {topic}: stamps: {fault}{done}')
        return lines

    def _chosen(self):
        if self._policy is None:
            beside = Path(self._folder).resolve().parent / RECORDED
            values = read_parameters([beside], 'estimator') if beside.is_file() else {}
            self._policy = str(values.get('stamps', 'refuse'))
        return self._policy


def _has_header(types, kind):
    """Return whether messages of a type begin with a header."""
    try:
        fields = types.get_msgdef(kind).fields
    except KeyError:
        return False
    return bool(fields) and fields[0] == ('header', (Nodetype.NAME, 'std_msgs/msg/Header'))
