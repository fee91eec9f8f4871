"""A CANopen network that survives garbage on the bus."""

import can
import canopen


class CanNetwork(canopen.Network):
    """A network whose thread counts garbage instead of ending.

    garbage: number of items that are no frames, as datagrams of others on a bus over UDP.
    """

    NOTIFIER_CYCLE = 0.1        # how long disconnect() may take [s]

    def __init__(self):
        super().__init__()
        self.garbage = 0
        self.listeners.append(_GarbageListener(self))

    def check(self):
        """Raise the exception that has ended the thread, if any."""
        if self.notifier is not None and not is_garbage(self.notifier.exception):
            super().check()


class _GarbageListener(can.Listener):
    """Counts garbage."""

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
    """Return whether an exception of a bus is about received data, not about the bus itself."""
    if isinstance(error, can.CanError):
        return isinstance(error.__cause__, Exception) and not isinstance(
            error.__cause__, (OSError, can.CanError))
    return isinstance(error, (ValueError, TypeError, LookupError, ArithmeticError))
