"""Commands of `ros2 run mb_estimators`."""
