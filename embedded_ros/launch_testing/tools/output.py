"""Output of commands in tests."""
import os
import re

from .text import build_text_match


def basic_output_filter(*, filtered_prefixes=(), filtered_patterns=()):
    """Return a function that removes the lines which begin with, or match, one of these."""
    patterns = [re.compile(pattern) for pattern in filtered_patterns]

    def keep(line):
        return not (line.startswith(tuple(filtered_prefixes))
                    or any(pattern.match(line) for pattern in patterns))

    def output_filter(text):
        return ''.join(line for line in text.splitlines(keepends=True) if keep(line))
    return output_filter


def expect_output(*, expected_text=None, expected_lines=None, text=None, lines=None, strict=False):
    """Return whether a text (or lines) is as expected, see build_text_match()."""
    if (text is None) == (lines is None):
        raise ValueError("either 'text' or 'lines' must be given")
    if (expected_text is None) == (expected_lines is None):
        raise ValueError("either 'expected_text' or 'expected_lines' must be given")
    if text is None:
        text = '\n'.join(lines)
    expected = expected_text if expected_lines is None else expected_lines
    return bool(build_text_match(expected, strict=strict)(text))


def expected_output_from_file(path, encoding=None):
    """Return the lines of <path>.txt as texts, or of <path>.regex as regular expressions."""
    for ending, made in (('.txt', str), ('.regex', re.compile)):
        if os.path.isfile(path + ending):
            with open(path + ending, encoding=encoding) as file:
                return [made(line) for line in file.read().splitlines()]
    raise RuntimeError(f"could not find an output file: '{path}.txt' or '{path}.regex'")
