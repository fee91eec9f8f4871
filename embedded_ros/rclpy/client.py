"""Clients of services."""
import threading
import time
from types import GenericAlias

from embedded_ros.interfaces import deserialize, serialize

from rclpy.task import Future


class Client:
    """Calls a service; made by Node.create_client."""

    __class_getitem__ = classmethod(GenericAlias)  # Client[...] in annotations

    def __init__(self, context, client_impl, srv_type, srv_name, qos_profile, callback_group):
        self.context = context
        self._handle = client_impl
        self.srv_type = srv_type
        self.srv_name = srv_name
        self.qos_profile = qos_profile
        self.callback_group = callback_group
        self._executor_event = False  # taken by an executor that has not run it yet
        self._pending_requests = {}  # sequence number -> Future
        self._lock = threading.Lock()
        self._events = None  # ServiceEvents, where calls are published

    @property
    def handle(self):
        return self._handle

    def call(self, request, timeout_sec=None):
        """Call and wait for the response; another thread must spin the node meanwhile.

        Raises TimeoutError after `timeout_sec`, where that is given.
        """
        done = threading.Event()
        future = self.call_async(request)
        future.add_done_callback(lambda future: done.set())
        if not done.wait(timeout_sec):
            self.remove_pending_request(future)
            raise TimeoutError('Timed out waiting for the response of ' + self.srv_name)
        if future.exception() is not None:
            raise future.exception()
        return future.result()

    def call_async(self, request):
        """Send a request; the Future gets the response while the node is spun."""
        if not isinstance(request, self.srv_type.Request):
            raise TypeError(f'Expected {self.srv_type.Request}, got {type(request)}')
        data = serialize(request)
        with self._lock:
            number = self._handle.middleware.send_request(data)
            if number in self._pending_requests:
                raise RuntimeError(f'Sequence ({number}) conflicts with pending request')
            future = Future()
            self._pending_requests[number] = future
        if self._events is not None:
            self._events.request_sent(self._handle.middleware.client_id, number, request)
        future.add_done_callback(self.remove_pending_request)
        return future

    def get_pending_request(self, sequence_number):
        """The Future of a request under way."""
        return self._pending_requests[sequence_number]

    def remove_pending_request(self, future):
        """Forget a call; a response that still comes is dropped."""
        with self._lock:
            for number, pending in list(self._pending_requests.items()):
                if pending is future:
                    del self._pending_requests[number]

    def take(self):
        """(Future, response) of the oldest response not taken yet, or None."""
        taken = self._handle.middleware.take_reply() if self._handle.valid else None
        if taken is None:
            return None
        data, _info, number = taken
        with self._lock:
            future = self._pending_requests.get(number)
        if future is None and self._events is None:
            return None
        response = deserialize(data, self.srv_type.Response)
        if self._events is not None:
            self._events.response_received(self._handle.middleware.client_id, number, response)
        return None if future is None else (future, response)

    def service_is_ready(self):
        """Whether a server is there."""
        return self._handle.middleware.server_is_available()

    def wait_for_service(self, timeout_sec=None):
        """Wait until a server is there; whether that is so after at most `timeout_sec`."""
        end = None if timeout_sec is None or timeout_sec < 0 else time.monotonic() + timeout_sec
        pause = 0.001
        while self.context.ok() and not self.service_is_ready():
            left = pause if end is None else min(pause, end - time.monotonic())
            if left <= 0:
                break
            time.sleep(left)
            pause = min(2 * pause, 0.02)
        return self.context.ok() and self.service_is_ready()

    @property
    def service_name(self):
        """The full, remapped name of the service."""
        return self._handle.middleware.name

    def configure_introspection(self, clock, service_event_qos_profile, introspection_state):
        """Publish the calls from now on, on <service name>/_service_event, or do not."""
        from rclpy.impl.service_events import configured
        self._events = configured(self._events, self._handle, self.srv_type, clock,
                                  service_event_qos_profile, introspection_state)

    def destroy(self):
        """Close the client; use Node.destroy_client."""
        self._handle.destroy_when_not_in_use()

    def __enter__(self):
        return self

    def __exit__(self, exception_type, exception, traceback):
        self.destroy()
