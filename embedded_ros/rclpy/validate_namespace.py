"""Check namespaces."""
from rclpy.exceptions import InvalidNamespaceException
from rclpy.impl import names


def validate_namespace(namespace: str) -> bool:
    """Return True, or raise InvalidNamespaceException."""
    fault = names.namespace_fault(namespace)
    if fault:
        raise InvalidNamespaceException(namespace, *fault)
    return True
