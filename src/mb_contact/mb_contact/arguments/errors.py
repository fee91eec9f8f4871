"""What can be wrong with what one asks for."""


class ContactError(ValueError):
    """A method that cannot be set up as asked for; the text says what and why."""
