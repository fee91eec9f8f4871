"""Tests of launched ROS nodes in pytest."""
