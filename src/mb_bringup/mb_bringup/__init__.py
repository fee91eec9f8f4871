"""MuJoCo prototype, launch files, configuration and reports of the three-simulation method."""
