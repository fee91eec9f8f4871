"""Which calls of a log method get through: once, not the first, not too often."""
import sys

from rclpy.clock import Clock
from rclpy.duration import Duration
from rclpy.time import Time


class CallerId:
    """The place in the source that logs; equal for two calls from one place."""

    __slots__ = ['function_name', 'file_path', 'line_number', 'last_index']

    def __init__(self, frame=None):
        if frame is None:
            frame = sys._getframe(1)
            while frame.f_globals.get('__name__') == 'rclpy.impl.rcutils_logger':
                frame = frame.f_back
        code = frame.f_code
        self.function_name, self.file_path = code.co_name, code.co_filename
        self.line_number, self.last_index = frame.f_lineno, frame.f_lasti

    def _key(self):
        return self.file_path, self.line_number, self.function_name, self.last_index

    def __eq__(self, other):
        return isinstance(other, CallerId) and self._key() == other._key()

    def __hash__(self):
        return hash(self._key())


class LoggingFilter:
    """Holds back some calls; its state is in the context of the place that logs."""

    params = {}  # options and their defaults; None: must be given

    @classmethod
    def initialize_context(cls, context, **kwargs):
        for name, default in cls.params.items():
            value = kwargs.get(name, default)
            if value is None:
                raise TypeError(f"required parameter '{name}' not specified but is required for "
                                f"the logging filter '{cls.__name__}'")
            context[name] = value() if value is Clock else value

    @staticmethod
    def should_log(context):
        raise NotImplementedError


class Once(LoggingFilter):
    """The first call only."""

    params = {'once': None}

    @classmethod
    def initialize_context(cls, context, **kwargs):
        super().initialize_context(context, **kwargs)
        context['has_been_logged_once'] = False

    @staticmethod
    def should_log(context):
        first = not context['has_been_logged_once']
        context['has_been_logged_once'] = True
        return first


class Throttle(LoggingFilter):
    """Not again before the duration has passed on the clock."""

    params = {'throttle_duration_sec': None, 'throttle_time_source_type': Clock}

    @classmethod
    def initialize_context(cls, context, **kwargs):
        super().initialize_context(context, **kwargs)
        clock = context['throttle_time_source_type']
        if not isinstance(clock, Clock):
            raise ValueError(
                f"Received throttle_time_source_type of '{clock}' is not a clock instance")
        simulated = getattr(clock, 'ros_time_is_active', False)  # its time begins at 0
        context['throttle_last_logged'] = Time(clock_type=clock.clock_type) if simulated else None

    @staticmethod
    def should_log(context):
        now = context['throttle_time_source_type'].now()
        last = context['throttle_last_logged']
        pause = Duration(seconds=context['throttle_duration_sec'])
        if last is not None and last <= now < last + pause:
            return False
        context['throttle_last_logged'] = now
        return True


class SkipFirst(LoggingFilter):
    """All calls but the first."""

    params = {'skip_first': None}

    @classmethod
    def initialize_context(cls, context, **kwargs):
        super().initialize_context(context, **kwargs)
        context['first_has_been_skipped'] = False

    @staticmethod
    def should_log(context):
        later = context['first_has_been_skipped']
        context['first_has_been_skipped'] = True
        return later


supported_filters = {'throttle': Throttle, 'skip_first': SkipFirst, 'once': Once}
_OPTIONS = {option: name for name, cls in supported_filters.items() for option in cls.params}


def find_filters(options):
    """Names of the filters that these keyword arguments ask for; TypeError for unknown ones."""
    if not options:
        return []
    for option in options:
        if option not in _OPTIONS:
            raise TypeError(f"parameter '{option}' is not one of the recognized logging options "
                            f"'{list(_OPTIONS)}'")
    wanted = {_OPTIONS[option] for option, value in options.items() if value or value == 0.0}
    wanted -= {_OPTIONS[option] for option, value in options.items() if value is False}
    return [name for name in supported_filters if name in wanted]


def options_differ(context, options):
    """Whether a call asks for other options than the first one from its place did."""
    return any(context[option] != value for option, value in options.items()
               if option in context and value is not False)


def apply_filters(context):
    """Whether all filters of the context let this call through."""
    return all(supported_filters[name].should_log(context) for name in context['filters'])
