"""Stamps of logs as seconds and nanoseconds: checked, repaired, or replaced by their arrival."""

from collections.abc import Callable, Sequence
from typing import Any

from mb_ros.checked_stamps import (
    ARRIVAL,
    MALFORMED,
    REFUSE,
    REPAIR,
    WRAPPED,
    CheckedStamps,
    unwrapped_nanosec,
)
from mb_sensors.imported.stamp_faults import fault_of
from mb_sensors.imported.table import LogError, Table
from mb_sensors.imported.time_settings import TimeSettings
from mb_sensors.sampling import NANOSECONDS


def stamps_of_parts(table: Table, time: TimeSettings, parts: tuple[Sequence[int], Sequence[int]],
                    arrivals: Sequence[int] | None,
                    fail: Callable[[str], Any]) -> tuple[list[int], int, list[str]]:
    """Return (stamps (k) [ns], after how much they begin anew or 0, remarks) of their parts.

    parts: seconds and nanoseconds (k); arrivals (k) [ns]: of the rows, None where the log has none.
    Raises LogError for stamps that are refused, or cannot be repaired.
    """
    secs, nanosecs = parts
    fault = fault_of(secs, nanosecs)
    if time.stamps == ARRIVAL:
        if arrivals is None:
            fail(f'stamps: {ARRIVAL}: needs `received`, a column of times at which rows came')
        return *_by_arrival(secs, nanosecs, arrivals or (), fault, ARRIVAL), [
            f'time: {_named(time)}: {fault or "of a clock of its own"}: stamps are replaced by '
            f'{time.received}, without its jitter']
    if not fault:
        return [sec * NANOSECONDS + nanosec
                for sec, nanosec in zip(secs, nanosecs, strict=True)], 0, []
    row = next((k for k, one in enumerate(nanosecs) if one >= NANOSECONDS), len(secs) - 1)
    if time.stamps == REFUSE or fault == MALFORMED:
        raise LogError(f'{table.at(row)}, column {time.nanoseconds or time.column}: '
                       f'{nanosecs[row]}: {CheckedStamps(fault=fault).words}')
    remarks = [f'time: {_named(time)}: {fault}: stamps are repaired']
    if fault == WRAPPED:
        return [_unwrapped(table, time, k, *one) for k, one in enumerate(
            zip(secs, nanosecs, strict=True))], 0, remarks
    if arrivals is None:
        return [secs[0] * NANOSECONDS + one for one in nanosecs], NANOSECONDS, remarks
    return *_by_arrival(secs, nanosecs, arrivals, fault, REPAIR), remarks


def increasing(stamps: Sequence[int], arrivals: Sequence[int]) -> list[int]:
    """Return stamps that increase: the arrival, or the next nanosecond, where one does not."""
    found: list[int] = []
    for stamp, arrival in zip(stamps, arrivals, strict=True):
        later = found[-1] + 1 if found else stamp
        found.append(stamp if stamp >= later else max(arrival, later))
    return found


def _by_arrival(secs: Sequence[int], nanosecs: Sequence[int], arrivals: Sequence[int], fault: str,
                policy: str) -> tuple[list[int], int]:
    """Return stamps by the arrival; a clock that goes back, and is not known to, begins anew."""
    checked, last, stamps = CheckedStamps(policy, fault), (0, 0), []
    for sec, nanosec, arrival in zip(secs, nanosecs, arrivals, strict=True):
        if not fault and (sec, nanosec) < last:
            checked = CheckedStamps(policy, fault)
        last = sec, nanosec
        stamp = checked.take(sec, nanosec, arrival)
        stamps.append(arrival if stamp is None else stamp)
    return increasing(stamps, arrivals), 0


def _unwrapped(table, time, row, sec, nanosec):
    rest = unwrapped_nanosec(sec, nanosec)
    if rest is None:
        raise LogError(f'{table.at(row)}, column {time.nanoseconds}: {nanosec} is no time modulo '
                       f'2^32 of second {sec}; `rows` leave it out')
    return sec * NANOSECONDS + rest


def _named(time):
    return f'{time.column}, {time.nanoseconds}' if time.nanoseconds else time.column
