"""A process that says when it is ready."""
from launch.event_handlers import OnProcessIO


class StdoutReadyListener(OnProcessIO):
    """Runs actions when the stdout of the target action shows a text."""

    def __init__(self, *, target_action=None, ready_txt, actions=()):
        self.__actions = list(actions)
        self.__ready_txt = ready_txt
        self.__seen = {}
        super().__init__(target_action=target_action, on_stdout=self.__on_stdout)

    def __on_stdout(self, event):
        # A line may come in pieces.
        line = self.__seen.get(event.action, '') + event.text.decode(errors='replace')
        if self.__ready_txt in line:
            self.__seen[event.action] = ''
            return self.__actions
        self.__seen[event.action] = line[line.rfind('\n') + 1:]
        return None

    def describe(self):
        text, _ = super().describe()
        return text, self.__actions
