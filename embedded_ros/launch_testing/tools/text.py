"""Expected text."""
import re

ANSI = re.compile(r'\x1b(?:[@-Z\\-_]|\[[0-?]*[ -/]*[@-~])')


def remove_ansi_escape_sequences(text):
    """Return the text without colours and the like."""
    return ANSI.sub('', text)


def build_text_match(expected_text, *, strict=False):
    """Return a function from a text to whether it is as expected.

    expected_text: a text, a compiled regular expression, a sequence of them, which must be found in
    this order (strict: as lines, without anything between them), or a function, which is returned.
    """
    if isinstance(expected_text, str):
        if strict:
            return lambda text: text == expected_text
        return lambda text: expected_text in text
    if isinstance(expected_text, re.Pattern):
        if strict:
            return lambda text: expected_text.fullmatch(text) is not None
        return lambda text: expected_text.search(text) is not None
    if callable(expected_text):
        return expected_text
    if isinstance(expected_text, (list, tuple)):
        return sequence_match(list(expected_text), strict)
    raise ValueError(f'Unknown format for expected text: {expected_text!r}')


def sequence_match(expected, strict):
    """Return a function telling whether a text has these lines (not strict: among others)."""
    matchers = [build_text_match(item, strict=strict) for item in expected]

    def matches(text):
        lines = text.splitlines()
        if strict:
            return len(lines) == len(matchers) and all(
                one(line) for one, line in zip(matchers, lines, strict=True))
        rest = iter(lines)
        return all(any(one(line) for line in rest) for one in matchers)
    return matches
