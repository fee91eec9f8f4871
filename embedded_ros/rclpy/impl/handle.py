"""What an rclpy object holds of the middleware, and how it is given back."""
from rclpy.exceptions import InvalidHandle


class Handle:
    """Owns one DDS object; using it after its end raises InvalidHandle."""

    def __init__(self, middleware):
        self._middleware = middleware
        self._valid = True

    @property
    def middleware(self):
        """The object owned: a reader, writer, server or client of embedded_ros.dds."""
        if not self._valid:
            raise InvalidHandle('cannot use Destroyable because destruction was requested')
        return self._middleware

    @property
    def condition(self):
        """The DDS condition that is triggered when there is something to take."""
        return getattr(self._middleware, 'reader', self._middleware).condition

    @property
    def valid(self):
        return self._valid

    @property
    def pointer(self):
        return id(self._middleware)

    def __enter__(self):
        self.middleware  # noqa: B018  raises where the handle is not valid any more
        return self

    def __exit__(self, exception_type, exception, traceback):
        pass

    def destroy_when_not_in_use(self):
        """Close the DDS object; a second time nothing happens."""
        if self._valid:
            self._valid = False
            if self._middleware is not None:
                self._middleware.close()
