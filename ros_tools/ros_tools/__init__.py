"""Installs packages, and their messages, into an environment with the wheels of ROS 2."""
