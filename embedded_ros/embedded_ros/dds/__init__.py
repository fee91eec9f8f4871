"""DDS as ROS 2 uses it: participants, raw CDR writers and readers, wait sets, the node graph.

Nothing here knows messages or rclpy: samples are bytes, QoS profiles any object with the fields of
rclpy.qos.QoSProfile. How a ROS 2 process looks on the wire is described in docs/embedded_ros.
"""
