"""Numbers of reports as text, and what stands where there is none."""


def number_text(value: float | None, form: str = '.4g') -> str:
    """Return a number in a format of Python, a dash for none."""
    return '-' if value is None else format(value, form)


def share_text(value: float | None) -> str:
    """Return a share as percentage, a dash for none."""
    return number_text(value, '.1%')
