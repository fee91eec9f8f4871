"""The node a `ros2` command looks at the graph with."""
NODE_NAME_PREFIX = '_ros2cli'
