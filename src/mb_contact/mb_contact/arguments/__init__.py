"""Arguments of methods: errors of their set-up, and arrays as kernels take them."""

from mb_contact.arguments.errors import ContactError
from mb_contact.arguments.rows import rows_of

__all__ = ['ContactError', 'rows_of']
