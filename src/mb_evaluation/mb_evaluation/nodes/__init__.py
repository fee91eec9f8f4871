"""ROS 2 nodes: wiring only."""
