"""Questions about an object's class."""


def isclassinstance(obj) -> bool:
    """Return whether this is an instance of a class, and no class or function."""
    return hasattr(obj, '__class__') and hasattr(obj, '__dict__')


def is_a(obj, entity_type) -> bool:
    """Return whether the object is an instance of the type."""
    return isinstance(obj, entity_type)


def is_a_subclass(obj, entity_type) -> bool:
    """Return whether the class, or the object's class, derives from the type."""
    try:
        return issubclass(obj, entity_type)
    except TypeError:
        return is_a(obj, entity_type)
