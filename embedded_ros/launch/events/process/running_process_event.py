"""Something about a process that was started."""

from ...event import Event


class RunningProcessEvent(Event):
    """Base of events of one process."""

    name = 'launch.events.process.RunningProcessEvent'

    def __init__(self, *, action, name: str, cmd: list[str], cwd: str | None,
                 env: dict[str, str] | None, pid: int) -> None:
        self.__action = action
        self.__name = name
        self.__cmd = cmd
        self.__cwd = cwd
        self.__env = env
        self.__pid = pid

    @property
    def action(self):
        """The action which started the process."""
        return self.__action

    @property
    def execute_process_action(self):
        """The action which started the process (older name)."""
        return self.__action

    @property
    def process_name(self) -> str:
        return self.__name

    @property
    def cmd(self) -> list[str]:
        return self.__cmd

    @property
    def cwd(self) -> str | None:
        return self.__cwd

    @property
    def env(self) -> dict[str, str] | None:
        return self.__env

    @property
    def pid(self) -> int:
        return self.__pid
