"""Check node names."""
from rclpy.exceptions import InvalidNodeNameException
from rclpy.impl import names


def validate_node_name(node_name: str) -> bool:
    """Return True, or raise InvalidNodeNameException."""
    fault = names.node_name_fault(node_name)
    if fault:
        raise InvalidNodeNameException(node_name, *fault)
    return True
