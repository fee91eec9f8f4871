"""A test that is a process."""
from launch.actions import EmitEvent, ExecuteProcess, TimerAction
from launch.events import matches_action
from launch.events.process import ShutdownProcess
from launch.frontend import expose_action


@expose_action('test')
class Test(ExecuteProcess):
    """Runs a process whose exit code is the result; timeout [s]: after it the process is ended."""

    __test__ = False        # no test class for pytest

    def __init__(self, *, timeout=None, kill_timeout=5.0, **kwargs):
        # What lets it go after SIGINT and SIGTERM is killed.
        kwargs.setdefault('sigterm_timeout', str(kill_timeout))
        kwargs.setdefault('sigkill_timeout', str(kill_timeout))
        super().__init__(**kwargs)
        self.__timeout = timeout
        self.__timer = None

    @classmethod
    def parse(cls, entity, parser, ignore=None):
        _, kwargs = super().parse(entity, parser, ignore)
        timeout = entity.get_attr('timeout', data_type=float, optional=True, can_be_str=True)
        if timeout is not None:
            kwargs['timeout'] = parser.parse_if_substitutions(timeout)
        return cls, kwargs

    @property
    def timeout(self):
        return self.__timeout

    def execute(self, context):
        super().execute(context)
        if not self.__timeout:
            return None
        self.__timer = TimerAction(period=self.__timeout, actions=[EmitEvent(
            event=ShutdownProcess(process_matcher=matches_action(self)))])
        future = self.get_asyncio_future()
        if future is not None:
            future.add_done_callback(lambda _: self.__timer.cancel())
        return [self.__timer]


def parse_path(action_class, entity, parser):
    """Return the keyword arguments of a Test that is a file instead of a command."""
    _, kwargs = Test.parse.__func__(action_class, entity, parser, ignore=['cmd'])
    kwargs['path'] = parser.parse_substitution(entity.get_attr('path'))
    return action_class, kwargs
