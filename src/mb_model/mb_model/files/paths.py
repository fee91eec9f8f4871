"""Paths that users give."""

from pathlib import Path


def user_path(text: str) -> Path:
    """Return the Path of a text, `~` being a home folder; raises ValueError for what is none."""
    try:
        if '\0' in str(text):
            raise ValueError(f'{str(text)!r}: a path has no NUL')
        return Path(text).expanduser()
    except RuntimeError:
        raise ValueError(f'{text}: there is no such user') from None
