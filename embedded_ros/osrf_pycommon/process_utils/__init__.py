"""Event loops and programs."""
import asyncio
import shutil

__all__ = ['get_loop', 'which']


def get_loop():
    """Return this thread's event loop, made if there is none or it is closed."""
    try:
        loop = asyncio.get_event_loop_policy().get_event_loop()
    except RuntimeError:
        loop = None
    if loop is None or loop.is_closed():
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
    return loop


def which(cmd, mode=None, path=None, **kwargs):
    """Return the path of a program on PATH, or None."""
    return shutil.which(cmd, path=path) if mode is None else shutil.which(cmd, mode, path)
