"""Messages of readings, a file per codec: from values to messages and back, without rclpy."""
