"""A test that is a process."""
from launch.actions import ExecuteProcess, Shutdown, TimerAction
from launch.frontend import expose_action


@expose_action('test')
class Test(ExecuteProcess):
    """Runs a process whose exit code is the result; timeout [s]: how long it may take."""

    __test__ = False        # no test class for pytest

    def __init__(self, *, cmd, timeout=None, **kwargs):
        super().__init__(cmd=cmd, **kwargs)
        self.__timeout = timeout
        self.__timer = None

    @property
    def timeout(self):
        return self.__timeout

    def execute(self, context):
        super().execute(context)
        if not self.__timeout:
            return None
        self.__timer = TimerAction(
            period=float(self.__timeout),
            actions=[Shutdown(reason=f"test '{self.name}' took longer than {self.__timeout} s")])
        self.get_asyncio_future().add_done_callback(lambda _: self.__timer.cancel())
        return [self.__timer]
