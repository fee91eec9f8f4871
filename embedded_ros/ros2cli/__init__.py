"""The command `ros2`."""
