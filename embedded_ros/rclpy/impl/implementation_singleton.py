"""What programs use of rclpy's C extension: its exceptions and a few types.

There is no C extension here; rclpy_implementation only carries those names.
"""
from rclpy.impl import _rclpy_pybind11 as rclpy_implementation

__all__ = ['rclpy_implementation']
