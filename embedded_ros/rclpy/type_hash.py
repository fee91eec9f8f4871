"""Hashes of types, as graph queries return them."""


class TypeHash:
    """Version and 32 bytes of a type's hash; str() gives the form 'RIHS01_...'."""

    _TYPE_HASH_SIZE = 32
    __slots__ = ['_version', '_value']

    def __init__(self, version=-1, value=None):
        self.version = version
        self.value = bytes(self._TYPE_HASH_SIZE) if value is None else value

    @classmethod
    def from_text(cls, text):
        """Read 'RIHS01_<64 hex digits>'; anything else gives an invalid hash."""
        prefix, _, digits = text.partition('_')
        try:
            value = bytes.fromhex(digits)
            version = int(prefix.removeprefix('RIHS'))
        except ValueError:
            return cls()
        return cls(version, value) if len(value) == cls._TYPE_HASH_SIZE else cls()

    @property
    def version(self):
        return self._version

    @version.setter
    def version(self, value):
        if not isinstance(value, int):
            raise AssertionError('version must be an int')
        self._version = value

    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, value):
        if not isinstance(value, bytes):
            raise AssertionError('value must be bytes')
        self._value = value

    def __eq__(self, other):
        if not isinstance(other, TypeHash):
            return False
        return (self.version, self.value) == (other.version, other.value)

    def __str__(self):
        if self._version <= 0 or len(self._value) != self._TYPE_HASH_SIZE:
            return 'INVALID'
        return f'RIHS{self._version:02}_{self._value.hex()}'
