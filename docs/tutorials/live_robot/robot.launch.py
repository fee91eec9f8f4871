"""A running machine: its driver, its estimator, and what draws both."""

from pathlib import Path

from launch import LaunchDescription
from launch_ros.actions import Node

PARAMETERS = str(Path(__file__).with_name('parameters.yaml'))
NODES = [('mb_sensors', 'encoder_driver'), ('mb_estimators', 'estimator'),
         ('mb_evaluation', 'markers')]


def generate_launch_description():
    """Start every node with its section of the file of parameters."""
    return LaunchDescription([
        Node(package=package, executable=executable, name=executable, parameters=[PARAMETERS],
             output='screen') for package, executable in NODES])
