"""DDS as ROS 2 uses it: participants, raw CDR writers and readers, wait sets, the node graph.

Nothing here knows rclpy: samples are bytes, a QoS profile is any object with the fields of
rclpy.qos.QoSProfile. On the wire everything is as rmw_cyclonedds has it: topics rt/..., services
rq/...Request and rr/...Reply with a header of 16 bytes, types pkg::msg::dds_::Name_, plain CDR,
type hashes in USER_DATA, nodes on ros_discovery_info.
"""
