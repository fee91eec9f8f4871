"""Differences of times."""
import builtin_interfaces.msg

from rclpy.constants import S_TO_NS

_INFINITE_NANOSECONDS = 9223372036 * S_TO_NS + 854775807


class Duration:
    """A difference of two times, in whole nanoseconds; may be negative."""

    def __init__(self, *, seconds=0, nanoseconds=0):
        total = int(seconds * S_TO_NS) + int(nanoseconds)
        if not -2**63 <= total < 2**63:
            raise OverflowError(
                'Total nanoseconds value is too large to store in C duration.')
        self._nanoseconds = total

    @property
    def nanoseconds(self):
        return self._nanoseconds

    def __repr__(self):
        return f'Duration(nanoseconds={self.nanoseconds})'

    def __str__(self):
        if self.nanoseconds == _INFINITE_NANOSECONDS:
            return 'Infinite'
        return f'{self.nanoseconds} nanoseconds'

    def __eq__(self, other):
        return self.nanoseconds == other.nanoseconds if isinstance(other, Duration) else False

    def __ne__(self, other):
        return not self == other

    def __lt__(self, other):
        return self.nanoseconds < other.nanoseconds if isinstance(other, Duration) \
            else NotImplemented

    def __le__(self, other):
        return self.nanoseconds <= other.nanoseconds if isinstance(other, Duration) \
            else NotImplemented

    def __gt__(self, other):
        return self.nanoseconds > other.nanoseconds if isinstance(other, Duration) \
            else NotImplemented

    def __ge__(self, other):
        return self.nanoseconds >= other.nanoseconds if isinstance(other, Duration) \
            else NotImplemented

    def to_msg(self):
        """Give a builtin_interfaces.msg.Duration; nanosec is never negative, sec may be."""
        seconds, nanoseconds = divmod(self.nanoseconds, S_TO_NS)
        return builtin_interfaces.msg.Duration(sec=seconds, nanosec=nanoseconds)

    def get_c_duration(self):
        """What rclpy's C extension takes for a duration: something with .nanoseconds."""
        return self

    @classmethod
    def from_msg(cls, msg):
        if not isinstance(msg, builtin_interfaces.msg.Duration):
            raise TypeError('Must pass a builtin_interfaces.msg.Duration object')
        return cls(seconds=msg.sec, nanoseconds=msg.nanosec)


Infinite = Duration(nanoseconds=_INFINITE_NANOSECONDS)
