"""The types that SLOT_TYPES of a message class are made of."""

SIGNED_INTEGER_TYPES = ('int8', 'int16', 'int32', 'int64')
UNSIGNED_INTEGER_TYPES = ('uint8', 'uint16', 'uint32', 'uint64')
INTEGER_TYPES = SIGNED_INTEGER_TYPES + UNSIGNED_INTEGER_TYPES
FLOATING_POINT_TYPES = ('float', 'double', 'long double')
CHARACTER_TYPES = ('char', 'wchar')
BOOLEAN_TYPE = 'boolean'
OCTET_TYPE = 'octet'
BASIC_TYPES = (
    *INTEGER_TYPES, *FLOATING_POINT_TYPES, *CHARACTER_TYPES, BOOLEAN_TYPE, OCTET_TYPE)


class AbstractType:
    """A type; equal to another when class and content are."""

    __slots__ = ()

    def _content(self):
        return tuple(getattr(self, name) for cls in type(self).__mro__
                     for name in getattr(cls, '__slots__', ()))

    def __eq__(self, other):
        return type(self) is type(other) and self._content() == other._content()

    def __hash__(self):
        return hash((type(self), str(self._content())))

    def __repr__(self):
        return f'{type(self).__name__}{self._content()!r}'


class AbstractNestableType(AbstractType):
    """A type that arrays and sequences can be made of."""

    __slots__ = ()


class BasicType(AbstractNestableType):
    """A number, boolean or octet, named as in IDL."""

    __slots__ = ('typename',)

    def __init__(self, typename):
        if typename not in BASIC_TYPES:
            raise AssertionError(f"'{typename}' is no basic type")
        self.typename = typename


class NamedType(AbstractNestableType):
    __slots__ = ('name',)

    def __init__(self, name):
        self.name = name


class NamespacedType(AbstractNestableType):
    """A message: namespaces ['std_msgs', 'msg'] and name 'Header'."""

    __slots__ = ('namespaces', 'name')

    def __init__(self, namespaces, name):
        self.namespaces, self.name = list(namespaces), name

    def namespaced_name(self):
        return (*self.namespaces, self.name)


class AbstractGenericString(AbstractNestableType):
    __slots__ = ()


class AbstractString(AbstractGenericString):
    __slots__ = ()


class AbstractWString(AbstractGenericString):
    __slots__ = ()


class BoundedString(AbstractString):
    __slots__ = ('maximum_size',)

    def __init__(self, maximum_size):
        self.maximum_size = int(maximum_size)

    def has_maximum_size(self):
        return True


class UnboundedString(AbstractString):
    __slots__ = ()

    def has_maximum_size(self):
        return False


class BoundedWString(AbstractWString):
    __slots__ = ('maximum_size',)

    def __init__(self, maximum_size):
        self.maximum_size = int(maximum_size)

    def has_maximum_size(self):
        return True


class UnboundedWString(AbstractWString):
    __slots__ = ()

    def has_maximum_size(self):
        return False


class AbstractNestedType(AbstractType):
    """Many of a type."""

    __slots__ = ('value_type',)

    def __init__(self, value_type):
        self.value_type = value_type


class Array(AbstractNestedType):
    __slots__ = ('size',)

    def __init__(self, value_type, size):
        super().__init__(value_type)
        self.size = int(size)

    def has_maximum_size(self):
        return True


class AbstractSequence(AbstractNestedType):
    __slots__ = ()


class BoundedSequence(AbstractSequence):
    __slots__ = ('maximum_size',)

    def __init__(self, value_type, maximum_size):
        super().__init__(value_type)
        self.maximum_size = int(maximum_size)

    def has_maximum_size(self):
        return True


class UnboundedSequence(AbstractSequence):
    __slots__ = ()

    def has_maximum_size(self):
        return False
