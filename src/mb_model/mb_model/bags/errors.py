"""What is wrong with a bag, in the user's words."""


class BagError(ValueError):
    """A bag that cannot be read or written; one line, whatever rosbag2 or its storage raised."""


def in_words(error: BaseException) -> str:
    """Return an exception in one line."""
    return ' '.join(str(error).split()) or type(error).__name__
