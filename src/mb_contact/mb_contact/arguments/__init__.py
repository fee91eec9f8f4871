"""What methods take: errors for what they cannot be set up with, arrays as kernels take them."""

from mb_contact.arguments.errors import ContactError
from mb_contact.arguments.rows import rows_of

__all__ = ['ContactError', 'rows_of']
