"""Futures of a loop that need not run yet."""
import asyncio


def create_future(loop: asyncio.AbstractEventLoop | None) -> asyncio.Future:
    """Return a future of this loop, or of the thread's current one."""
    return (loop or asyncio.get_event_loop()).create_future()
