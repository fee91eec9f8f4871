"""Settings as Markdown, for terminals and documentation."""

from typing import Any

from mb_model.settings import Settings


def settings_table(settings: type[Settings], prefix: str = '') -> list[str]:
    """Return lines of Markdown: every setting of a Settings class; prefix: of their names."""
    defaults = settings.defaults()
    return ['| setting | default | unit | range | |', '| --- | --- | --- | --- | --- |'] + [
        f'| `{prefix}{key}` | {_shown(defaults.get(key, "required"))} | {described.unit} '
        f'| {described.expectation()} | {described.help} |'
        for key, _, described in settings.describe()]


def first_line(described: type[Any]) -> str:
    """Return what a class says of itself in a line."""
    return (described.__doc__ or '').partition('\n')[0]


def _shown(value):
    """Return a default as it stands in a YAML file."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f'[{", ".join(_shown(item) for item in value)}]'
    return f'{value:g}' if isinstance(value, float) else str(value)
