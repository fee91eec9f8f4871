"""The one reader of bags: one error for all that can be wrong, damaged messages left out.

Messages that lack are no damaged ones: reading a topic to its end raises an error about them.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager, suppress
import logging
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mb_model.bags.messages import BagError, deserialized, in_words, message_types, stamp_of
from mb_model.bags.stamps import BagStamps

_SUFFIXES = {'.db3': 'sqlite3', '.mcap': 'mcap'}
_log = logging.getLogger(__name__)


@contextmanager
def open_reader(folder: str | Path, *types: str, of: type[Any] | None = None,
                report: Callable[[str], object] = _log.warning,
                stamps: str | None = None) -> Iterator[Any]:
    """Open the BagReader of a folder, or of a single file of a bag.

    types: further messages of mb_interfaces that are read, by name; of: a subclass of BagReader;
    report: called in the end with a line for each topic with damaged messages, or with stamps that
    are not as they were sent; stamps: what becomes of stamps that no clock shows, see BagStamps;
    None: as parameters.yaml beside the bag says, else refuse.
    Raises FileNotFoundError, BagError, also later, where the bag is damaged.
    """
    if not Path(folder).exists():
        raise FileNotFoundError(f'{folder}: no such bag')
    known = message_types(*types)
    with TemporaryDirectory(prefix='bag_') as scratch:
        reader = (of or BagReader)(folder, known, Path(scratch), stamps)
        yield reader
        for line in (*reader.damage, *reader.stamps.lines):
            report(line)


class BagReader:
    """The messages of a bag, by topic.

    kinds: types by topic; stamps: BagStamps.
    """

    def __init__(self, folder: str | Path, types: Any, scratch: Path,
                 stamps: str | None = None) -> None:
        """Look into a bag; types: store of message types; scratch: an empty folder; stamps: as of
        open_reader.
        """
        # Imported here: the rest of mb_model need not wait for it.
        from rosbag2_py import Info
        self._folder, self._types, path = folder, types, Path(folder)
        self._uri = str(path)
        if path.is_dir() and not (path / 'metadata.yaml').is_file():
            raise BagError(f'{folder}: not a readable bag (no metadata.yaml; `ros2 bag reindex` '
                           'writes it)')
        with self._or_bag_error():
            metadata = Info().read_metadata(str(path), _SUFFIXES.get(path.suffix, ''))
            self._storage = metadata.storage_identifier
            self._is_compressed = metadata.compression_mode.lower() not in ('', 'none')
            topics = [(one.topic_metadata.name, one.topic_metadata.type, one.message_count)
                      for one in metadata.topics_with_message_count]
        self.kinds = {name: kind for name, kind, _ in topics}
        self._counts: Counter[str] = Counter()
        for name, _, count in topics:
            self._counts[name] += count
        self._damaged: dict[str, int] = {}
        self.stamps = BagStamps(folder, self.kinds, types, stamps)
        if self._is_compressed and path.is_dir():       # ROS's reader decompresses beside the files
            for file in path.iterdir():
                (scratch / file.name).symlink_to(file.resolve())
            self._uri = str(scratch)

    @property
    def topics(self) -> list[str]:
        """Names of all topics."""
        return list(self.kinds)

    def has(self, topic: str) -> bool:
        """Return whether there is a topic."""
        return topic in self.kinds

    def count(self, topic: str) -> int:
        """Return how many messages of a topic there are, damaged ones included."""
        return self._counts[topic]

    @property
    def damage(self) -> list[str]:
        """Lines about topics that had damaged messages when they were read to their end."""
        return [f'{self._folder}: {topic}: {count} of {self.count(topic)} messages are damaged and '
                'left out' for topic, count in self._damaged.items() if count]

    def count_damaged(self, topics: Iterable[str], count: int = 1) -> None:
        """Count messages on each of some topics as damaged that were read before."""
        for topic in topics:
            self._damaged[topic] = self._damaged.get(topic, 0) + count

    def time_of(self, topic: str, arrival: int, message: Any) -> int:
        """Return the stamp of a message [ns], its arrival where messages of its topic have none."""
        return stamp_of(message) if self.stamps.is_timed(topic) else arrival

    def of(self, topic: str,
           convert: Callable[[Any], Any] | None = None) -> Iterator[tuple[int, Any]]:
        """Yield (stamp [ns], message) of a topic, nothing if there is no such.

        convert: makes of a message what is yielded; what it refuses by ValueError counts as
        damaged, unless it refuses all: then the last error is raised.
        """
        sound, refused, error = 0, 0, None
        for _, arrival, message in self.messages([topic]):
            try:
                pair = (self.time_of(topic, arrival, message),
                        message if convert is None else convert(message))
            except ValueError as refusal:
                refused, error = refused + 1, refusal
            else:
                sound += 1
                yield pair
        if error is not None and not sound:
            raise error
        self.count_damaged([topic], refused)

    def alike(self, topic: str, key: Callable[[Any], Hashable],
              convert: Callable[[Any], Any] | None = None) -> list[tuple[int, Any]]:
        """Return [(stamp [ns], message)] as `of` yields them, with the most frequent key(message).

        All others count as damaged.
        """
        keyed = [(key(message), stamp, message) for stamp, message in self.of(topic, convert)]
        usual = Counter(one for one, _, _ in keyed).most_common(1)
        kept = [(stamp, message) for one, stamp, message in keyed if one == usual[0][0]]
        self.count_damaged([topic], len(keyed) - len(kept))
        return kept

    def messages(self, topics: Iterable[str]) -> Iterator[tuple[str, int, Any]]:
        """Yield (topic, arrival [ns], message) of topics in the order of arrival."""
        def decode(topic, data):
            return deserialized(self._types, data, self.kinds[topic])
        topics = list(topics)
        self.stamps.look([topic for topic in topics if self.count(topic)], self._raw)
        for topic, arrival, message in self.decoded(topics, decode):
            if self.stamps.is_timed(topic) and not self.stamps.set_right(topic, message, arrival):
                continue
            yield topic, arrival, message

    def _raw(self, topics):
        """Yield (topic, bytes, arrival [ns]) of topics in the order of arrival."""
        reader = self._opened(topics)
        try:
            with self._or_bag_error():
                while reader.has_next():
                    yield reader.read_next()
        finally:
            with suppress(Exception):
                reader.close()

    def decoded(self, topics: Iterable[str], decode: Callable[[str, bytes], Any],
                ) -> Iterator[tuple[str, int, Any]]:
        """Yield (topic, arrival [ns], message) of topics in the order of arrival.

        decode(topic, data): makes a message of bytes; what it raises shows a damaged one.
        Raises BagError in the end where the bag has not as many messages as it states, or where
        none of several on a topic is one: that is another type, not damage.
        """
        chosen = [topic for topic in topics if topic in self.kinds]
        if not chosen:
            return
        read: Counter[str] = Counter()
        damaged: Counter[str] = Counter()
        reasons: dict[str, str] = {}
        reader = self._opened(chosen)
        try:
            while True:
                try:        # no context: a bag has millions of messages
                    if not reader.has_next():
                        break
                    topic, data, arrival = reader.read_next()
                except Exception as error:
                    raise self._bag_error(error) from None
                read[topic] += 1
                try:
                    message = decode(topic, data)
                except Exception as error:      # bytes of any kind, rosbags raises what it meets
                    damaged[topic] += 1
                    reasons[topic] = in_words(error)
                    continue
                yield topic, arrival, message
        finally:
            with suppress(Exception):
                reader.close()
        for topic in chosen:
            self._damaged[topic] = damaged[topic] + self.stamps.left_out(topic)
        for topic, reason in reasons.items():
            if damaged[topic] == read[topic] > 1:
                raise BagError(f'{self._folder}: {topic}: none of its {read[topic]} messages is a '
                               f'{self.kinds[topic]} as it is known here ({reason})')
        differences = [f'{topic}: {read[topic]} messages, not {self.count(topic)}'
                       for topic in chosen if read[topic] != self.count(topic)]
        if differences:
            raise BagError(f'{self._folder}: its files do not have what its metadata state: '
                           f'{"; ".join(differences)}; `ros2 bag reindex` counts anew')

    def _opened(self, topics):
        from rosbag2_py import (
            ConverterOptions,
            SequentialCompressionReader,
            SequentialReader,
            StorageFilter,
            StorageOptions,
        )
        with self._or_bag_error():
            reader = (SequentialCompressionReader if self._is_compressed else SequentialReader)()
            reader.open(StorageOptions(uri=self._uri, storage_id=self._storage),
                        ConverterOptions('', ''))
            reader.set_filter(StorageFilter(topics=topics))
        return reader

    @contextmanager
    def _or_bag_error(self):
        """Make a BagError of whatever rosbag2 and its storages raise."""
        try:
            yield
        except Exception as error:
            raise self._bag_error(error) from None

    def _bag_error(self, error: Exception) -> BagError:
        words = in_words(error).replace(self._uri, str(self._folder))
        words = words.removeprefix(f'{self._folder}: ')
        return BagError(f'{self._folder}: not a readable bag ({words})')
