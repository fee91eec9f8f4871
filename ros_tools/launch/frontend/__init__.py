"""Launch files in other languages than Python."""
from .expose import expose_action, expose_substitution
from .parser import InvalidFrontendLaunchFileError, Parser

__all__ = ['InvalidFrontendLaunchFileError', 'Parser',
           'expose_action', 'expose_substitution']
