"""What the launch files of this package share."""
