"""A launch file which no loader could read."""
PYTHON_LAUNCH_FILE = 'python_launch_file'      # name under which Python launch files are loaded


class InvalidLaunchFileError(Exception):
    """Says which format was tried, what went wrong, and in which file."""

    def __init__(self, extension='', *, likely_errors: list[BaseException] | None = None,
                 launch_file_path: str = ''):
        super().__init__(extension)
        self._extension = extension
        self._likely_errors = list(likely_errors or [])
        self._path = launch_file_path
        self.__cause__ = self._likely_errors[0] if self._likely_errors else None

    def __str__(self):
        kind = f'format [{self._extension}]' if self._extension else 'unknown format'
        errors = self._likely_errors
        if not errors:
            return f'Failed to load file of {kind}{in_file(self._path)}'
        if len(errors) == 1:
            return (f'Caught exception when trying to load file of {kind}: '
                    f'{error_text(errors[0])}{self._place(errors[0])}')
        return f'Caught multiple exceptions when trying to load file of {kind}:\n' + '\n'.join(
            f' - {type(error).__name__}: {error}{self._place(error)}' for error in errors)

    def _place(self, error: BaseException) -> str:
        place = place_of(error)
        if place or self._path in str(error):
            return place
        return in_file(self._path)


def error_text(error: BaseException) -> str:
    """Return the error's text; with its kind, unless it is about a value the user gave."""
    return str(error) if type(error) is ValueError else f'{type(error).__name__}: {error}'


def in_file(path: str) -> str:
    return f' ({path})' if path else ''


def place_of(error: BaseException) -> str:
    """Return ' (file, line n)' for the place in a Python launch file, '' if it is in none."""
    place = ''
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_globals.get('__name__') == PYTHON_LAUNCH_FILE:
            place = f' ({trace.tb_frame.f_code.co_filename}, line {trace.tb_lineno})'
        trace = trace.tb_next
    return place
