"""Points in time of a clock."""
import builtin_interfaces.msg

from rclpy.clock_type import ClockType
from rclpy.constants import S_TO_NS
from rclpy.duration import Duration


class Time:
    """A point in time of one kind of clock, in whole nanoseconds from 0 on."""

    def __init__(self, *, seconds=0, nanoseconds=0, clock_type=ClockType.SYSTEM_TIME):
        if not isinstance(clock_type, ClockType):
            raise TypeError('Clock type must be a ClockType enum')
        if seconds < 0:
            raise ValueError('Seconds value must not be negative')
        if nanoseconds < 0:
            raise ValueError('Nanoseconds value must not be negative')
        total = int(seconds * S_TO_NS) + int(nanoseconds)
        if total >= 2**63:
            raise OverflowError('Total nanoseconds value is too large to store in C time point.')
        self._nanoseconds, self._clock_type = total, clock_type

    @property
    def nanoseconds(self):
        return self._nanoseconds

    def seconds_nanoseconds(self):
        """Split into whole seconds and the nanoseconds beyond them."""
        return divmod(self.nanoseconds, S_TO_NS)

    @property
    def clock_type(self):
        return self._clock_type

    def __repr__(self):
        return f'Time(nanoseconds={self.nanoseconds}, clock_type={self.clock_type.name})'

    def __add__(self, other):
        if not isinstance(other, Duration):
            return NotImplemented
        try:
            return Time(nanoseconds=self.nanoseconds + other.nanoseconds,
                        clock_type=self.clock_type)
        except OverflowError:
            raise OverflowError('Addition leads to overflow in C storage.') from None

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, Time):
            self._same_clock(other, "Can't subtract times with different clock types")
            return Duration(nanoseconds=self.nanoseconds - other.nanoseconds)
        if not isinstance(other, Duration):
            return NotImplemented
        try:
            return Time(nanoseconds=self.nanoseconds - other.nanoseconds,
                        clock_type=self.clock_type)
        except ValueError:
            raise ValueError('Subtraction leads to negative time.') from None

    def _same_clock(self, other, error="Can't compare times with different clock types"):
        if self.clock_type != other.clock_type:
            raise TypeError(error)

    def __eq__(self, other):
        if not isinstance(other, Time):
            return False
        self._same_clock(other)
        return self.nanoseconds == other.nanoseconds

    def __ne__(self, other):
        if not isinstance(other, Time):
            return True
        return not self == other

    def __lt__(self, other):
        if not isinstance(other, Time):
            return NotImplemented
        self._same_clock(other)
        return self.nanoseconds < other.nanoseconds

    def __le__(self, other):
        if not isinstance(other, Time):
            return NotImplemented
        self._same_clock(other)
        return self.nanoseconds <= other.nanoseconds

    def __gt__(self, other):
        if not isinstance(other, Time):
            return NotImplemented
        self._same_clock(other)
        return self.nanoseconds > other.nanoseconds

    def __ge__(self, other):
        if not isinstance(other, Time):
            return NotImplemented
        self._same_clock(other)
        return self.nanoseconds >= other.nanoseconds

    def to_msg(self):
        seconds, nanoseconds = self.seconds_nanoseconds()
        return builtin_interfaces.msg.Time(sec=seconds, nanosec=nanoseconds)

    @classmethod
    def from_msg(cls, msg, clock_type=ClockType.ROS_TIME):
        if not isinstance(msg, builtin_interfaces.msg.Time):
            raise TypeError('Must pass a builtin_interfaces.msg.Time object')
        return cls(seconds=msg.sec, nanoseconds=msg.nanosec, clock_type=clock_type)
