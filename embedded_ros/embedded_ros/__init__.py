"""What the ROS 2 import names of this project stand on: interfaces, DDS, installation."""
