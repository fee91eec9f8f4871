"""Log directory of the nodes that follow."""
import os

from launch.action import Action
from launch.frontend import expose_action
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions


@expose_action('set_ros_log_dir')
class SetROSLogDir(Action):
    """Lets the nodes that follow in this scope write their log files to a directory.

    A relative one is inside of the present one.
    """

    def __init__(self, new_log_dir, **kwargs):
        super().__init__(**kwargs)
        self.__log_dir = normalize_to_list_of_substitutions(new_log_dir)

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['new_log_dir'] = parser.parse_substitution(entity.get_attr('new_log_dir'))
        return cls, kwargs

    @property
    def log_dir(self):
        return self.__log_dir

    def execute(self, context):
        from rclpy.logging import get_logging_directory
        present = context.environment.get('ROS_LOG_DIR') or str(get_logging_directory())
        context.environment['ROS_LOG_DIR'] = os.path.join(
            present, perform_substitutions(context, self.__log_dir))
