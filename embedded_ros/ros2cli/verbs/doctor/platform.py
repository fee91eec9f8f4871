"""The machine, its Python, and what stands in for ROS 2."""
from importlib.metadata import version
import os
import platform

from ros2cli.verbs.doctor.finding import Finding, Section

ENVIRONMENT = ('ROS_DOMAIN_ID', 'ROS_AUTOMATIC_DISCOVERY_RANGE', 'ROS_STATIC_PEERS',
               'ROS_LOCALHOST_ONLY', 'CYCLONEDDS_URI', 'RMW_IMPLEMENTATION')


def examine(node):
    """Return the Finding."""
    machine = Section('PLATFORM INFORMATION', [
        ('system', platform.system()), ('platform info', platform.platform()),
        ('release', platform.release()), ('processor', platform.processor() or platform.machine()),
        ('python', platform.python_version())])
    ros = Section('ROS 2 INFORMATION', [
        ('distribution name', 'jazzy'), ('distribution type', 'ros2'),
        ('implementation', f'embedded_ros {version("embedded-ros")}')])
    ros.add(*((name, os.environ[name]) for name in ENVIRONMENT if name in os.environ))
    distribution = os.environ.get('ROS_DISTRO')
    errors = [f'ROS 2 {distribution} is sourced: embedded_ros must not be used beside it.'
              ] if distribution else []
    return Finding([machine, ros], errors)
