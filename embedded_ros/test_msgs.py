"""Interface package test_msgs."""
from embedded_ros.interfaces import provide_package

provide_package(__name__)
