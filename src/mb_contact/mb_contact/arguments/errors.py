"""Errors of the set-up of methods."""


class ContactError(ValueError):
    """A method that cannot be set up as asked for; the text says what and why."""
