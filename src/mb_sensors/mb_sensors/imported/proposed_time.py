"""The time of a log, as it is proposed: which columns, in which unit, and what mends its stamps."""

from collections.abc import Sequence
import json
from pathlib import Path
import re

import numpy as np

from mb_model.arrays import IntArray
from mb_ros.checked_stamps import POLICIES, REFUSE
from mb_sensors.imported.clock import stamps_of
from mb_sensors.imported.column_settings import TimeSettings, is_counter, parts_in, rate_in
from mb_sensors.imported.table import LogError, Table, read_tables
from mb_sensors.imported.text_form import TextSettings
from mb_sensors.imported.units import TIMES
from mb_sensors.sampling import NANOSECONDS

EDIT = 'EDIT'
_TIMES = re.compile(r'time|stamp|^t$|^t[_ \[(]|clock|date|^s$|^sec|zeit', re.IGNORECASE)
_MEASURED = re.compile(r'header.*stamp', re.IGNORECASE)     # beside when it was received
_RECEIVED = re.compile(r'recv|receiv|arriv|log_?time|^%?time$', re.IGNORECASE)
_PLAIN = re.compile(r'[A-Za-z_][\w./-]*|\d+')
_YAML_WORDS = {'y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null'}
_LONGEST = 0.5      # step of a log [s], where nothing says its unit


class _TimeRefusedError(Exception):
    """A column cannot be the time."""


def read_for_proposal(files: Sequence[str | Path]) -> tuple[Table, str]:
    """Return the Table of files, and what its stamps need to be read, '' for nothing."""
    refusal = None
    for stamps in POLICIES:
        try:
            return read_tables(files, TextSettings(), stamps=stamps), (
                '' if refusal is None else stamps)
        except LogError as error:
            refusal = refusal or error
    raise refusal


def proposed_time(table: Table, bag_stamps: str) -> tuple[set[str], list[str]]:
    """Return (names of the columns of time; lines of its section).

    bag_stamps: what the stamps of a bag need to be read, '' for nothing.
    """
    parts = _parts(table)
    if parts:
        return parts
    names = list(table.frame.columns)
    likely = sorted((name for name in names if _TIMES.search(name)),
                    key=lambda name: not _MEASURED.search(name))
    counters = [name for name in names if is_counter(name)]
    rate, _ = rate_in(table.before)
    numbers = names[:1] if not (table.form and table.form.header) else []
    for name in (*likely, *(counters if rate else ()), *numbers):
        for unit in (None, *(one for one in TIMES if one != 's')):
            settings = TimeSettings(column=name, **({'unit': unit} if unit else {}))
            try:
                stamps, remarks = stamps_of(table, settings, _refuse)
            except (LogError, _TimeRefusedError):
                break
            step = float(np.median(np.diff(stamps))) / NANOSECONDS if len(stamps) > 1 else 0.0
            said = next((one for one in TIMES for remark in remarks
                         if f': in {one} by' in remark or f': {one} since' in remark), '')
            counts = any(' counts at ' in remark for remark in remarks)
            dates = any(': dates' in remark or 'times of a day' in remark for remark in remarks)
            if step > _LONGEST and not (said or counts or dates or unit == 'ns'):
                continue
            bits = next((match[1] for remark in remarks
                         if (match := re.search(r'clock of (\d+) bits', remark))), '')
            entry = [f'column: {yaml_text(name)}',
                     *([f'unit: {unit or said}'] if unit or said else []),
                     *(['unit: counter', f'rate: {rate:g}'] if counts else []),
                     *([f'bits: {bits}'] if bits else []),
                     *([f'stamps: {bag_stamps}'] if bag_stamps else [])]
            why = 'unit guessed by the size of its steps; ' if unit else ''
            return {name}, [f'time: {{{", ".join(entry)}}}      # {why}{_steps(stamps)}',
                          *(f'# {remark}' for remark in remarks)]
    if counters:
        return {counters[0]}, [
            f'time: {{column: {yaml_text(counters[0])}, unit: counter, rate: {EDIT}}}'
            '      # rate: how often it counts [Hz]']
    if rate:
        return set(), [f'time: {{rate: {rate:g}}}      # as written above the columns']
    return set(), [f'time: {{rate: {EDIT}}}      # no column of time found: rows per second [Hz], '
                   'or column: ...']


def _refuse(message: str):
    raise _TimeRefusedError(message)


def _steps(stamps: IntArray):
    if len(stamps) < 2:
        return 'one row'
    gaps = np.diff(stamps) / NANOSECONDS
    return (f'{len(stamps)} rows, steps of {np.median(gaps):.4g} s, the longest '
            f'{gaps.max():.4g} s, {(stamps[-1] - stamps[0]) / NANOSECONDS:.6g} s in all')


def _parts(table: Table):
    """Return what proposed_time does of columns of seconds and nanoseconds, None for none."""
    names = list(table.frame.columns)
    parts = parts_in(names)
    if parts is None:
        return None
    received = [name for name in names if _RECEIVED.search(name) and name not in parts]
    for stamps in POLICIES:
        for one in ('',) if stamps == REFUSE else (*received, ''):
            settings = TimeSettings(
                column=parts[0], nanoseconds=parts[1], received=one, stamps=stamps)
            try:
                times, remarks = stamps_of(table, settings, _refuse)
            except (LogError, _TimeRefusedError):
                continue
            entry = [f'column: {yaml_text(parts[0])}', f'nanoseconds: {yaml_text(parts[1])}',
                     *([f'received: {yaml_text(one)}'] if one else []),
                     *([f'stamps: {stamps}'] if stamps != REFUSE else [])]
            return {*parts, one}, [f'time: {{{", ".join(entry)}}}      # {_steps(times)}',
                                   *(f'# {remark}' for remark in remarks)]
    return None


def yaml_text(name: str) -> str:
    """Return a name as YAML has it."""
    plain = _PLAIN.fullmatch(name) and name.lower() not in _YAML_WORDS
    return name if plain else json.dumps(name, ensure_ascii=False)
