"""Expressions that YAML has cut at their commas, because they are in braces without quotes.

Of {length: hypot(a, b), mass: 1.0} it makes three entries: length 'hypot(a', 'b)', and mass.
"""

from itertools import takewhile


def joined_expressions(entries, path, value):
    """Return a value of a mechanism file with such expressions joined, each a noted mistake.

    entries: Entries; path: where the value is, for messages.
    """
    if isinstance(value, dict):
        found = _joined(list(value.items()), lambda item: item is None, lambda key, _: key)
        inner = f'{path}.' if path else ''
        return {key: _noted(entries, f'{inner}{key}', text, item) for key, item, text in found}
    if isinstance(value, (list, tuple)):
        found = _joined(list(enumerate(value)), lambda item: not isinstance(item, (dict, list)),
                        lambda _, item: item)
        return [_noted(entries, f'{path}[{k}]', text, item) for k, item, text in found]
    return value


def _noted(entries, path, text, value):
    """Return the joined text, a mistake, if there is one; else the value, looked through."""
    if text is None:
        return joined_expressions(entries, path, value)
    with entries.noted(path):
        entries.fail(path, f"{text} needs quotes, '{text}': YAML cuts it at the comma")
    return text


def _joined(items, continues, part):
    """Yield (key, value, joined text or None) of items (key, value), parts of texts left out.

    continues(value): whether an item may be a part of the text before; part(key, value): which.
    """
    k = 0
    while k < len(items):
        key, value = items[k]
        text, k = value, k + 1
        if _open(value):
            following = takewhile(lambda item: continues(item[1]), items[k:])
            for count, item in enumerate(following, 1):
                text = f'{text}, {part(*item)}'
                if not _open(text):
                    k += count
                    break
        yield key, value, text if text is not value and not _open(text) else None


def _open(text):
    """Return whether a value is a text with a parenthesis that is not closed."""
    return isinstance(text, str) and text.count('(') > text.count(')')
