"""Loggers: names as arguments, and the filters as rclpy names them."""
from rclpy.impl.rcutils_logger import get_filters_from_kwargs, supported_filters
from rclpy.logging import LoggingSeverity, get_logger


def test_a_message_can_be_logged_under_another_name(capfd):
    assert get_logger('own').log('text', LoggingSeverity.INFO, name='other')
    assert get_logger('own').log('text', LoggingSeverity.INFO, 'third')
    printed = capfd.readouterr().err
    assert '[other]: text' in printed
    assert '[third]: text' in printed


def test_filters_are_found_by_their_options():
    assert get_filters_from_kwargs({'once': True, 'skip_first': False}) == ['once']
    assert get_filters_from_kwargs({'throttle_duration_sec': 1.0}) == ['throttle']
    assert set(supported_filters) == {'throttle', 'skip_first', 'once'}
