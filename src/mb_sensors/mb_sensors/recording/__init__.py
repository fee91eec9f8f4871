"""Readings and motions out of rosbag2 bags, read without a ROS process."""
