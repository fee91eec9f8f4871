"""A launch file which no loader could read."""


class InvalidLaunchFileError(Exception):
    """Says which format was tried and what went wrong."""

    def __init__(self, extension='', *, likely_errors: list[BaseException] | None = None):
        super().__init__(extension)
        self._extension = extension
        self._likely_errors = list(likely_errors or [])
        self.__cause__ = self._likely_errors[0] if self._likely_errors else None

    def __str__(self):
        kind = f'format [{self._extension}]' if self._extension else 'unknown format'
        errors = self._likely_errors
        if not errors:
            return f'Failed to load file of {kind}'
        if len(errors) == 1:
            return f'Caught exception when trying to load file of {kind}: {told(errors[0])}'
        return (f'Caught multiple exceptions when trying to load file of {kind}:\n'
                + '\n'.join(f' - {type(error).__name__}: {error}' for error in errors))


def told(error: BaseException) -> str:
    """The error's text; with its kind, unless it is about a value the user gave."""
    return str(error) if type(error) is ValueError else f'{type(error).__name__}: {error}'
