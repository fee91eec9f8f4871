"""Namespaces within namespaces."""


def is_namespace_absolute(ns):
    """Return whether a namespace begins at the root."""
    return ns.startswith('/')


def is_root_namespace(ns):
    return ns == '/'


def make_namespace_absolute(ns):
    """Return the namespace with a leading '/'."""
    if ns is None:
        return None
    return ns if is_namespace_absolute(ns) else '/' + ns


def prefix_namespace(base_ns, ns):
    """Return ns inside base_ns: None if both are, ns itself if it is absolute."""
    if ns is None:
        return base_ns
    if not base_ns or is_namespace_absolute(ns):
        return ns if is_root_namespace(ns) else ns.rstrip('/')
    if not ns:
        return base_ns
    return ('/' if is_root_namespace(base_ns) else base_ns.rstrip('/') + '/') + ns.rstrip('/')
