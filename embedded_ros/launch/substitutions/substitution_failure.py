"""A substitution without result."""


class SubstitutionFailure(RuntimeError):
    """A substitution could not be performed."""
