"""What `ros2 launch` does."""
