"""The tree of frames and its recent past."""
import threading

from builtin_interfaces.msg import Time as TimeMessage
from geometry_msgs.msg import TransformStamped
from rclpy.duration import Duration

from tf2_py.exceptions import (
    ConnectivityException,
    ExtrapolationException,
    InvalidArgumentException,
    LookupException,
    TransformException,
)
from tf2_py.history import (
    IDENTITY,
    LATEST,
    MovingHistory,
    Sample,
    StaticHistory,
    compose,
    inverse,
    unit,
)

NANOSECONDS = 10 ** 9
DEFAULT_CACHE_SECONDS = 10.0
DEEPEST_TREE = 1000


class BufferCore:
    """Takes transforms of neighbours, answers for any two frames; several threads may use it."""

    def __init__(self, cache_time=None):
        self._duration = (cache_time or Duration(seconds=DEFAULT_CACHE_SECONDS)).nanoseconds
        self._histories = {}        # child frame -> history
        self._lock = threading.RLock()

    def set_transform(self, transform, authority):
        """Take a TransformStamped of a moving frame.  Raises InvalidArgumentException."""
        self._set(transform, MovingHistory, self._duration)

    def set_transform_static(self, transform, authority):
        """Take a TransformStamped that holds at any time.  Raises InvalidArgumentException."""
        self._set(transform, StaticHistory)

    def _set(self, message, kind, *arguments):
        child = message.child_frame_id.lstrip('/')
        parent = message.header.frame_id.lstrip('/')
        if not child or not parent or child == parent:
            raise InvalidArgumentException(
                f'a transform needs two different frames, not {parent!r} and {child!r}')
        t, q = message.transform.translation, message.transform.rotation
        rotation = q.x, q.y, q.z, q.w
        if abs(sum(x * x for x in rotation) - 1.0) > 0.1:
            raise InvalidArgumentException(
                f'the rotation {rotation} of {child!r} is no unit quaternion')
        motion = (t.x, t.y, t.z), unit(rotation)
        sample = Sample(_nanoseconds(message.header.stamp), parent, motion)
        with self._lock:
            if not isinstance(self._histories.get(child), kind):
                self._histories[child] = kind(*arguments)
            self._histories[child].add(sample)

    def lookup_transform_core(self, target_frame, source_frame, time):
        """TransformStamped that takes points of `source_frame` to `target_frame`.

        `time` is a rclpy Time; 0 means the latest time at which all is known.
        Raises a TransformException.
        """
        with self._lock:
            stamp = time.nanoseconds
            self._check(target_frame, 'target_frame')
            self._check(source_frame, 'source_frame')
            if stamp == LATEST:
                stamp = self._latest_common(target_frame, source_frame)
            motion = self._motion(target_frame, source_frame, stamp)
        return _message(target_frame, source_frame, stamp, motion)

    def can_transform_core(self, target_frame, source_frame, time):
        """(whether it is known, why not)."""
        try:
            self.lookup_transform_core(target_frame, source_frame, time)
        except TransformException as error:
            return False, str(error)
        return True, ''

    def _check(self, frame, argument):
        """Whether the frame can be and is known."""
        if not frame:
            raise InvalidArgumentException(
                f'Invalid argument passed to lookupTransform argument {argument} in tf2 frame_ids '
                'cannot be empty')
        if frame.startswith('/'):
            raise InvalidArgumentException(
                f'Invalid argument "{frame}" passed to lookupTransform argument {argument} in tf2 '
                "frame_ids cannot start with a '/'")
        if frame not in self._histories and not any(
                frame == history.at(LATEST).parent for history in self._histories.values()):
            raise LookupException(
                f'"{frame}" passed to lookupTransform argument {argument} does not exist. ')

    def _ancestors(self, frame, stamp):
        """[(frame, motion from the first frame to it)] from a frame to the root of its tree.

        Where the time is not known, the chain ends; the error comes third.
        """
        chain, motion = [(frame, IDENTITY)], IDENTITY
        while frame in self._histories:
            try:
                sample = self._histories[frame].at(stamp)
            except ExtrapolationException as error:
                return chain, error
            motion = compose(sample.motion, motion)
            frame = sample.parent
            chain.append((frame, motion))
            if len(chain) > DEEPEST_TREE:
                raise LookupException('The tf tree is invalid because it contains a loop.')
        return chain, None

    def _motion(self, target, source, stamp):
        """Motion that takes points of the source frame to the target frame at a time."""
        source_chain, source_error = self._ancestors(source, stamp)
        target_chain, target_error = self._ancestors(target, stamp)
        from_source = dict(source_chain)
        for frame, from_target in target_chain:
            if frame in from_source:
                return compose(inverse(from_target), from_source[frame])
        error = source_error or target_error
        if error:
            raise ExtrapolationException(
                f'{error}, when looking up transform from frame [{source}] to frame [{target}]')
        raise ConnectivityException(
            f"Could not find a connection between '{target}' and '{source}' because they are not "
            'part of the same tree.Tf has two or more unconnected trees.')

    def _latest_common(self, target, source):
        """Last time [ns] known to all frames between two; 0 if none of them moves."""
        source_chain = [frame for frame, _ in self._ancestors(source, LATEST)[0]]
        target_chain = [frame for frame, _ in self._ancestors(target, LATEST)[0]]
        shared = set(source_chain) & set(target_chain)
        between = [frame for frame in source_chain + target_chain
                   if frame in self._histories and frame not in shared]
        stamps = [self._histories[frame].newest() for frame in between]
        return min((stamp for stamp in stamps if stamp is not None), default=LATEST)


def _nanoseconds(stamp):
    return stamp.sec * NANOSECONDS + stamp.nanosec


def _message(target, source, stamp, motion):
    message = TransformStamped(child_frame_id=source)
    message.header.frame_id = target
    seconds, nanoseconds = divmod(stamp, NANOSECONDS)
    message.header.stamp = TimeMessage(sec=seconds, nanosec=nanoseconds)
    t, q = message.transform.translation, message.transform.rotation
    (t.x, t.y, t.z), (q.x, q.y, q.z, q.w) = motion
    return message
