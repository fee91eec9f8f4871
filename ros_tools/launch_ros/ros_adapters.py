"""A ROS node inside of the launch."""
import os
import threading

from launch.event_handlers import OnShutdown
from launch.logging import get_logger


class ROSAdapter:
    """Owns a node which is spun in a thread of its own, between start() and shutdown()."""

    def __init__(self, argv=None):
        self.__argv = argv
        self.__context = None
        self.__node = None
        self.__executor = None
        self.__thread = None
        self.start()

    def start(self):
        """Create the node and begin to spin."""
        import rclpy
        from rclpy.executors import SingleThreadedExecutor
        if self.__thread is not None:
            raise RuntimeError('Cannot start a ROS adapter that is already running')
        self.__context = rclpy.context.Context()
        rclpy.init(args=self.__argv, context=self.__context)
        self.__node = rclpy.create_node(f'launch_ros_{os.getpid()}', context=self.__context)
        self.__executor = SingleThreadedExecutor(context=self.__context)
        self.__executor.add_node(self.__node)
        self.__thread = threading.Thread(target=self._run, name='launch_ros', daemon=True)
        self.__thread.start()

    def _run(self):
        from rclpy.executors import ExternalShutdownException, ShutdownException
        context, executor = self.__context, self.__executor
        while context.ok():
            try:
                executor.spin_once(timeout_sec=1.0)
            except (ExternalShutdownException, ShutdownException):
                return
            except Exception as error:
                get_logger('launch_ros').error(f'in the node of the launch: {error!r}')

    def shutdown(self):
        """Stop to spin and destroy the node."""
        import rclpy
        if self.__thread is None:
            raise RuntimeError('Cannot shutdown a ROS adapter that is not running')
        if self.__context.ok():
            rclpy.shutdown(context=self.__context)
        self.__executor.shutdown()
        self.__thread.join(timeout=2)
        self.__node.destroy_node()
        self.__thread = self.__node = self.__executor = self.__context = None

    @property
    def ros_node(self):
        return self.__node



def get_ros_adapter(context):
    """Return the adapter of this launch, which is started when it is first asked for."""
    known = context.get_globals_as_dict()
    if 'ros_adapter' not in known:
        adapter = ROSAdapter(context.argv)
        context.extend_globals({'ros_adapter': adapter})

        def stop(event, context):
            context.get_globals_as_dict().pop('ros_adapter', None)
            adapter.shutdown()
        context.register_event_handler(OnShutdown(on_shutdown=stop, handle_once=True))
    return known['ros_adapter']


def get_ros_node(context):
    """Return the node of this launch."""
    return get_ros_adapter(context).ros_node
