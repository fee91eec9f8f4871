"""A CANopen network that goes on when something on the bus is no frame."""

import can
import canopen


class CanNetwork(canopen.Network):
    """A network whose thread takes what comes; garbage is counted, not the end of it.

    garbage: how much came that is no frame, as datagrams of others on a bus over UDP.
    """

    NOTIFIER_CYCLE = 0.1        # how long disconnect() may take [s]

    def __init__(self):
        super().__init__()
        self.garbage = 0
        self.listeners.append(_GarbageListener(self))

    def check(self):
        """Raise what has ended the thread, if something has."""
        if self.notifier is not None and not is_garbage(self.notifier.exception):
            super().check()


class _GarbageListener(can.Listener):
    """Counts what is no frame."""

    def __init__(self, network):
        self._network = network

    def on_message_received(self, message):
        """Nothing to do: this one is a frame."""

    def on_error(self, error):
        """Let the thread go on after garbage, and end by anything else."""
        if not is_garbage(error):
            raise NotImplementedError
        self._network.garbage += 1


def is_garbage(error):
    """Tell whether an exception of a bus is about what came, not about the bus itself."""
    if isinstance(error, can.CanError):
        return isinstance(error.__cause__, Exception) and not isinstance(
            error.__cause__, (OSError, can.CanError))
    return isinstance(error, (ValueError, TypeError, LookupError, ArithmeticError))
