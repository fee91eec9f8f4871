"""The three-simulation method: prototype, uncorrected model and observer, side by side.

    ros2 launch mb_bringup three_simulation.launch.py mechanism:=five_bar sensors:=crank_encoders

The prototype gives truth and time, drivers turn the truth into readings, the estimator corrects a
deliberately wrong model with them, and the accuracy monitor ends the run with a report.
"""

from math import pi
from pathlib import Path
import sys

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import (
    DeclareLaunchArgument,
    EmitEvent,
    ExecuteProcess,
    OpaqueFunction,
    RegisterEventHandler,
)
from launch.event_handlers import OnProcessExit
from launch.events import Shutdown
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from mb_bringup.results import new_folder
from mb_estimators import available_filters
from mb_model import load_mechanism
from mb_sensors import sensors_of

ARGUMENTS = (
    DeclareLaunchArgument('mechanism', default_value='four_bar',
                          description='Name of a mechanism or path of its file'),
    DeclareLaunchArgument('estimator', default_value='error_ekf', choices=list(available_filters()),
                          description='Filter that corrects the model'),
    DeclareLaunchArgument('sensors', default_value='',
                          description='Sensors or sensor groups of the mechanism, separated by '
                          'commas (default: its first angle encoder)'),
    DeclareLaunchArgument('prototype', default_value='mujoco', choices=['mujoco', 'multibody'],
                          description='Simulator that gives the truth'),
    DeclareLaunchArgument('duration', default_value='10.0', description='Simulated time [s]'),
    DeclareLaunchArgument('real_time_factor', default_value='1.0',
                          description='Simulated over wall time'),
    DeclareLaunchArgument('seed', default_value='0', description='Seed of the sensor noise'),
    DeclareLaunchArgument('gravity_error', default_value='-1.0',
                          description="What is added to the magnitude of the model's gravity "
                          '[m/s^2]'),
    DeclareLaunchArgument('start_error', default_value=repr(pi / 16),
                          description='What is added to each degree of freedom of the model at the '
                          'start [rad]'),
    DeclareLaunchArgument('config', default_value='',
                          description='File of node parameters (default: that of the mechanism in '
                          'config/, if there is one)'),
    DeclareLaunchArgument('results', default_value='results',
                          description='Folder in which the folder of this run is made'),
    DeclareLaunchArgument('record', default_value='true', choices=['true', 'false'],
                          description='Record every topic into a bag beside the report'),
    DeclareLaunchArgument('rviz', default_value='false', choices=['true', 'false'],
                          description='Show the three mechanisms in rviz'),
)
DRIVERS = {'angle_encoder': 'encoder_driver', 'gyroscope': 'imu_driver',
           'pressure': 'pressure_driver'}
