"""Why a transform is not there."""


class TransformException(Exception):
    """Any of them."""


class ConnectivityException(TransformException):
    """The frames are not in the same tree."""


class LookupException(TransformException):
    """There is no such frame."""


class ExtrapolationException(TransformException):
    """Nothing is known about that time."""


class InvalidArgumentException(TransformException):
    """That cannot be the name of a frame, or a rotation."""


class TimeoutException(TransformException):
    """It did not come in time."""
