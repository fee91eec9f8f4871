"""Launch files, configuration, launch arguments, and what launch files share."""
