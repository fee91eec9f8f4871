"""The services through which other nodes see and set the levels of loggers."""
import weakref

from rcl_interfaces.msg import LoggerLevel, SetLoggerLevelsResult
from rcl_interfaces.srv import GetLoggerLevels, SetLoggerLevels

from rclpy import logging
from rclpy.qos import qos_profile_services_default
from rclpy.validate_topic_name import TOPIC_SEPARATOR_STRING


class LoggingService:
    """Offers ~/get_logger_levels and ~/set_logger_levels of this process for a node."""

    def __init__(self, node):
        self._node = weakref.ref(node)
        prefix = '~' + TOPIC_SEPARATOR_STRING
        node.create_service(GetLoggerLevels, prefix + 'get_logger_levels',
                            self._get_logger_levels, qos_profile=qos_profile_services_default)
        node.create_service(SetLoggerLevels, prefix + 'set_logger_levels',
                            self._set_logger_levels, qos_profile=qos_profile_services_default)

    @staticmethod
    def _get_logger_levels(request, response):
        response.levels = [
            LoggerLevel(name=name, level=int(logging.get_logger_level(name)))
            for name in request.names]
        return response

    @staticmethod
    def _set_logger_levels(request, response):
        for wanted in request.levels:
            result = SetLoggerLevelsResult(successful=True)
            try:
                logging.set_logger_level(wanted.name, wanted.level)
            except ValueError:
                result = SetLoggerLevelsResult(
                    successful=False, reason='Failed reason: Invalid logger level.')
            response.results.append(result)
        return response
