"""Layout of log lines, as RCUTILS_CONSOLE_OUTPUT_FORMAT gives it."""
from datetime import datetime
import os
import re

DEFAULT = '[{severity}] [{time}] [{name}]: {message}'
_ESCAPES = {'\\a': '\a', '\\b': '\b', '\\n': '\n', '\\r': '\r', '\\t': '\t', '\\\\': '\\'}


def _date_time(nanoseconds):
    moment = datetime.fromtimestamp(nanoseconds // 10**9).strftime('%Y-%m-%d %H:%M:%S')
    return f'{moment}.{nanoseconds // 10**6 % 1000:03d}'


_TOKENS = {
    'severity': lambda record: record.severity.name,
    'name': lambda record: record.name,
    'message': lambda record: record.message,
    'function_name': lambda record: record.function,
    'file_name': lambda record: record.file,
    'short_file_name': lambda record: os.path.basename(record.file),
    'line_number': lambda record: str(record.line),
    'time': lambda record: f'{record.stamp // 10**9}.{record.stamp % 10**9:09d}',
    'time_as_nanoseconds': lambda record: str(record.stamp),
    'date_time_with_ms': lambda record: _date_time(record.stamp),
}


def formatter(layout):
    """Make a function record -> line of a layout; unknown {words} stay as they are."""
    pieces = []
    for piece in re.split(r'(\{\w+\}|\\.)', layout):
        token = _TOKENS.get(piece[1:-1]) if piece.startswith('{') else None
        pieces.append(token or _constant(_ESCAPES.get(piece, piece)))

    def format_record(record):
        return ''.join([piece(record) for piece in pieces])

    return format_record


def _constant(text):
    return lambda record: text
