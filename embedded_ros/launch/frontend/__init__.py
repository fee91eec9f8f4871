"""Launch files in other languages than Python."""
from .entity import Entity
from .expose import expose_action, expose_substitution
from .parser import InvalidFrontendLaunchFileError, InvalidParserError, Parser

__all__ = ['Entity', 'InvalidFrontendLaunchFileError', 'InvalidParserError', 'Parser',
           'expose_action', 'expose_substitution']
