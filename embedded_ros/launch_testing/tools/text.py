"""Expected text."""
from collections.abc import Iterable
import re

ANSI = re.compile(r'\x1b(?:[@-Z\\-_]|\[[0-?]*[ -/]*[@-~])')


def remove_ansi_escape_sequences(text):
    """Return the text without colours and the like."""
    return ANSI.sub('', text)


def normalize_lineseps(lines):
    """Return the text with newlines alone at the ends of its lines."""
    return lines.replace('\r\n', '\n')


def build_text_match(expected_text, *, strict=False):
    """Return a function (text, start=0) that gives the (start, end) of a match, or None.

    expected_text: a text, a compiled regular expression, or several of them, to be found in this
    order.  strict: a text is all there is, a regular expression begins at the start, several leave
    nothing between them.
    """
    if isinstance(expected_text, str):
        def one(text, start):
            if strict:
                return (start, len(text)) if text[start:] == expected_text else None
            found = text.find(expected_text, start)
            return (found, found + len(expected_text)) if found >= 0 else None
    elif hasattr(expected_text, 'search') and hasattr(expected_text, 'match'):
        def one(text, start):
            found = (expected_text.match if strict else expected_text.search)(text, start)
            return found and found.span()
    elif isinstance(expected_text, Iterable):
        one = in_sequence([build_text_match(item) for item in expected_text], strict)
    else:
        raise ValueError(f'Unknown format for expected text: {expected_text!r}')
    return lambda text, start=0: one(normalize_lineseps(text), start)


def build_line_match(expected_lines, *, strict=False):
    """Return a function (lines, start=0) that gives the range (start, end) of a match, or None.

    expected_lines: a text that a line holds (strict: that all lines are), a compiled regular
    expression for the beginning of a line, or several of them, see build_text_match().
    """
    if isinstance(expected_lines, str):
        def fits(line):
            return line == expected_lines if strict else expected_lines in line
    elif hasattr(expected_lines, 'match'):
        fits = expected_lines.match
    elif isinstance(expected_lines, Iterable):
        matches = in_sequence([build_line_match(item) for item in expected_lines], strict)
        return lambda lines, start=0: matches(lines, start)
    else:
        raise ValueError(f'Unknown format for expected lines: {expected_lines!r}')

    def matches_line(lines, start=0):
        if strict:
            return (start, len(lines)) if all(fits(line) for line in lines[start:]) else None
        return next(((at, at + 1) for at in range(start, len(lines)) if fits(lines[at])), None)
    return matches_line


def in_sequence(matchers, strict):
    """Return a matcher of what these match one after the other (strict: without gaps)."""
    def matches(actual, start):
        first, end = None, start
        for matcher in matchers:
            found = matcher(actual, end)
            if found is None or (strict and found[0] != end):
                return None
            first, end = found[0] if first is None else first, found[1]
        return start if first is None else first, end
    return matches
