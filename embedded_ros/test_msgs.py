"""Interface package test_msgs."""
import sys

from embedded_ros.interfaces import provide_package

from embedded_ros import message_fixtures

provide_package(__name__)
sys.modules[f'{__name__}.message_fixtures'] = message_fixtures
