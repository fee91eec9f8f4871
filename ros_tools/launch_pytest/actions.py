"""Actions of launch_pytest."""
from launch_testing.actions import ReadyToTest

__all__ = ['ReadyToTest']
