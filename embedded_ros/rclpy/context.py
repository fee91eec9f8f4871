"""Contexts: what rclpy.init starts and rclpy.shutdown ends."""
import atexit
import sys
import threading
import time
import weakref

from embedded_ros.dds.configuration import domain_id as domain_id_of_environment

from rclpy.exceptions import NotInitializedException
from rclpy.impl.arguments import parse_arguments
from rclpy.impl.errors import RCLError
from rclpy.impl.log_outputs import outputs
from rclpy.impl.owner_handles import ContextHandle

_contexts = weakref.WeakSet()


def live_contexts():
    """All contexts that are initialised and not shut down."""
    return [context for context in list(_contexts) if context.ok()]


_exiting = threading.Event()


@atexit.register
def _leave_the_graph():
    _exiting.set()
    for context in list(_contexts):
        context._close()


def stay_while_exiting():
    """Hold a (daemon) thread that still spins while the process exits, until it is gone."""
    while _exiting.is_set():
        time.sleep(1.0)


class Context:
    """Encapsulates the lifecycle of init and shutdown; holds one DDS participant.

    The participant is made with the first node and ends when the context is shut down and its
    last node destroyed, or with the process.
    """

    def __init__(self):
        self._lock = threading.RLock()
        self._callbacks, self._wakers = [], weakref.WeakSet()
        self._arguments, self._domain_id = None, None
        self._valid = self._logging = False
        self._participant = self._graph = None
        self._node_count, self._handle = 0, None
        _contexts.add(self)

    def __enter__(self):
        self.init()
        return self

    def __exit__(self, exception_type, exception, traceback):
        self.try_shutdown()

    def init(self, args=None, *, initialize_logging=True, domain_id=None):
        """Start the context with ROS arguments (default: of the process) and a domain."""
        if domain_id is not None and domain_id < 0:
            raise RuntimeError(f'Domain id ({domain_id}) should not be lower than zero.')
        with self._lock:
            if self._arguments is not None:
                raise RuntimeError('Context.init() must only be called once')
            args = sys.argv if args is None else list(args)
            ' '.join(args).encode()  # arguments must be text that can be passed on
            arguments = parse_arguments(args)
            self._domain_id = domain_id_of_environment() if domain_id is None else domain_id
            if initialize_logging and not any(context._logging for context in live_contexts()):
                arguments.apply_logging()
            self._arguments, self._valid, self._logging = arguments, True, initialize_logging
            self._handle = ContextHandle(self)

    def ok(self):
        """Whether the context is initialised and not shut down."""
        return self._valid

    def get_domain_id(self):
        """The DDS domain of this context."""
        if self._arguments is None:
            raise RuntimeError('Context must be initialized before it can have a domain id')
        return self._domain_id

    @property
    def handle(self):
        return self._handle

    @property
    def arguments(self):
        """The ROS arguments of the process (rclpy.impl.arguments.Arguments)."""
        self._require()
        return self._arguments

    def _require(self):
        if self._arguments is None:
            raise NotInitializedException()

    # Shutdown

    def shutdown(self):
        """End the context; RuntimeError where it is not initialised."""
        with self._lock:
            if not self._valid:
                raise RuntimeError('Context must be initialized before it can be shutdown')
            self._valid = False
            callbacks, self._callbacks = self._callbacks, []
        if self._logging and not any(context._logging for context in live_contexts()):
            outputs.reset()
        self._wake()
        for callback in callbacks:
            callback()
        self._close_when_unused()

    def try_shutdown(self):
        """End the context if it is not ended yet."""
        with self._lock:
            if not self._valid and not (self._arguments and self._callbacks):
                return
            self._valid = True  # a signal may have ended it without calling the callbacks
        self.shutdown()

    def destroy(self):
        """Give up what the context holds, once it is not in use."""
        if self._handle is not None:
            self._handle.destroy_when_not_in_use()
        self.try_shutdown()

    def invalidate(self):
        """End the context from a signal handler: no locks, no callbacks, which come later."""
        self._valid = False

    def _wake(self):
        """Rouse everything that waits on behalf of this context."""
        for waker in list(self._wakers):
            waker.wake()

    def on_shutdown(self, callback):
        """Call `callback` at shutdown, at once where that is over; methods are held weakly."""
        if not callable(callback):
            raise TypeError(f'callback should be a callable, got {type(callback)}')
        with self._lock:
            if self._valid or self._arguments is None:
                self._callbacks.append(_weak(callback))
                return
        callback()

    def add_waker(self, waker):
        """Call waker.wake() when the context ends, also when a signal ends it; held weakly."""
        self._wakers.add(waker)

    # The DDS participant

    @property
    def participant(self):
        """The DDS participant, made when first needed."""
        from embedded_ros.dds.participant import Participant
        with self._lock:
            self._require()
            if not self._valid:
                raise RCLError('the context is not valid any more: it was shut down')
            if self._participant is None:
                self._participant = Participant(self._domain_id, self._arguments.enclave)
            return self._participant

    @property
    def graph(self):
        """The node graph as seen by this participant."""
        from embedded_ros.dds.graph import Graph
        with self._lock:
            if self._graph is None:
                self._graph = Graph(self.participant)
            return self._graph

    def track_node(self, node):
        """Keep the participant while `node` lives."""
        with self._lock:
            self._node_count += 1

    def untrack_node(self, node):
        with self._lock:
            self._node_count -= 1
        self._close_when_unused()

    def _close_when_unused(self):
        if not self._valid and not self._node_count:
            self._close()

    def _close(self):
        """Delete the participant, so that its nodes leave the graph of others at once."""
        with self._lock:
            self._valid = False
            participant, self._participant = self._participant, None
        if participant is not None:
            participant.close()

    def __del__(self):
        self._close()


def _weak(callback):
    """The callback, holding the object of a bound method only weakly."""
    if getattr(callback, '__self__', None) is None or not hasattr(callback, '__func__'):
        return callback
    method = weakref.WeakMethod(callback)

    def call():
        target = method()
        if target is not None:
            target()

    return call
