"""Run tests on launched ROS nodes."""
from launch_testing.test_runner import LaunchTestRunner

__all__ = ['LaunchTestRunner']
