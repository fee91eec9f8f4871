"""Processes that try the settings: this one, others of this machine, or of many machines."""

from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import starmap
import os
import signal

from mb_estimators.tuning.task import Task

_PATIENCE = 10          # with a scheduler that does not answer [s]

_task = None            # of a worker process


@contextmanager
def workers(task, processes=None, scheduler=None):
    """Give (map, count): a function from (values, recording) pairs to their losses, in order.

    processes: on this machine (default: one per core; 1: this one); scheduler: address of a
    dask.distributed scheduler, or a Client, instead; its workers need the same packages.
    Raises ValueError if dask.distributed is not installed, OSError if there is no scheduler.
    """
    if scheduler is not None:
        with _dask(task, scheduler) as shared:
            yield shared
        return
    count = processes or len(os.sched_getaffinity(0))
    if count == 1:
        yield (lambda pairs: starmap(task.loss, pairs)), 1
        return
    pool = ProcessPoolExecutor(count, initializer=_begin, initargs=(task,))
    try:
        yield (lambda pairs: pool.map(_loss, pairs)), count
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(task: Task):
    """Start a worker: it keeps the task, and leaves an interrupt to its parent."""
    global _task
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _task = task


def _loss(pair):
    return _task.loss(*pair)


@contextmanager
def _dask(task, scheduler):
    """Give (map, count) of the workers of a scheduler; the task is sent to each of them once."""
    try:
        from distributed import Client
    except ImportError:
        raise ValueError('scheduler: needs dask.distributed: pip install distributed') from None
    own = isinstance(scheduler, str)
    if own:
        _check_address(scheduler)
    client = Client(scheduler, timeout=_PATIENCE, set_as_default=False) if own else scheduler
    try:
        sent = client.scatter(task, broadcast=True)

        def evaluate(pairs):
            futures = client.map(_loss_of, pairs, task=sent, pure=False)
            try:
                for future in futures:
                    yield future.result()
            finally:
                client.cancel(futures)

        yield evaluate, max(1, sum(client.nthreads().values()))
    finally:
        if own:
            client.close()


def _check_address(address):
    """Raise ValueError for a wrong address, on which a Client fails with a traceback."""
    from distributed.comm.addressing import parse_address, parse_host_port
    try:
        scheme, host = parse_address(address)
        if scheme == 'tcp':
            parse_host_port(host)
    except ValueError as error:
        raise ValueError(f'scheduler: {address}: {error}') from None


def _loss_of(pair, task):
    return task.loss(*pair)
