"""Filter expressions of the command line, in which `m` is the message."""


def compile_filter(text):
    """A function message -> bool of a Python expression, or None of None.  Raises RuntimeError.

    The expression is the user's own command, as with `python -c`; it never comes from elsewhere.
    """
    if not text:
        return None
    try:
        code = compile(text, '<filter>', 'eval')
    except SyntaxError as error:
        raise RuntimeError(f"Invalid filter expression '{text}': {error}") from None
    return lambda message: eval(code, {'m': message})
