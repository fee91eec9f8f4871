"""Output of commands in tests."""
import os
import re

from .text import build_line_match, build_text_match


def get_default_filtered_prefixes():
    """Return how lines about processes begin."""
    return ['pid', 'rc']


def get_default_filtered_patterns():
    return []


def basic_output_filter(filtered_prefixes=None, filtered_patterns=None):
    """Return a function that removes the lines which begin with, or match, one of these."""
    if filtered_prefixes is None:
        filtered_prefixes = get_default_filtered_prefixes()
    if filtered_patterns is None:
        filtered_patterns = get_default_filtered_patterns()
    prefixes = tuple(filtered_prefixes)
    patterns = [re.compile(pattern) for pattern in filtered_patterns]

    def keep(line):
        return not (line.startswith(prefixes) or any(pattern.match(line) for pattern in patterns))

    def output_filter(text):
        return ''.join(line for line in text.splitlines(keepends=True) if keep(line))
    return output_filter


def expect_output(*, expected_text=None, expected_lines=None, text=None, lines=None, strict=False):
    """Return whether a text (or lines) is as expected.

    See build_text_match() for expected_text, build_line_match() for expected_lines.
    """
    if (text is None) == (lines is None):
        raise ValueError("either 'text' or 'lines' must be given")
    if (expected_text is None) == (expected_lines is None):
        raise ValueError("either 'expected_text' or 'expected_lines' must be given")
    if expected_lines is not None:
        match = build_line_match(expected_lines, strict=strict)
        return match(text.splitlines() if lines is None else lines) is not None
    match = build_text_match(expected_text, strict=strict)
    return match('\n'.join(lines) if text is None else text) is not None


def expected_output_from_file(path, encoding=None):
    """Return the lines of <path>.txt as texts, or of <path>.regex as regular expressions."""
    for ending, made in (('.txt', str), ('.regex', re.compile)):
        if os.path.isfile(path + ending):
            with open(path + ending, encoding=encoding) as file:
                return [made(line) for line in file.read().splitlines()]
    raise RuntimeError(f"could not find an output file: '{path}.txt' or '{path}.regex'")
