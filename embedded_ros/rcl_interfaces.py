"""Interface package rcl_interfaces."""
from embedded_ros.interfaces import provide_package

provide_package(__name__)
