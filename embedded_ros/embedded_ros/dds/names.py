"""Names of topics, services and types in DDS, and back."""
import re


def dds_topic_name(topic):
    """'/joint_states' -> 'rt/joint_states'."""
    return 'rt' + topic


def ros_topic_name(name):
    """'rt/joint_states' -> '/joint_states'; None for what is no ROS topic."""
    return name[2:] if name.startswith('rt/') else None


def ros_service_name(name):
    """'rq/addRequest' or 'rr/addReply' -> '/add'; None for what belongs to no service."""
    if name.startswith('rq/') and name.endswith('Request'):
        return name[2:-len('Request')]
    if name.startswith('rr/') and name.endswith('Reply'):
        return name[2:-len('Reply')]
    return None


def ros_type(name):
    """'std_msgs::msg::dds_::String_' -> 'std_msgs/msg/String'; other names stay as they are."""
    parts = name.split('::')
    if len(parts) == 4 and parts[2] == 'dds_' and name.endswith('_'):
        return f'{parts[0]}/{parts[1]}/{parts[3][:-1]}'
    return name


def ros_service_type(name):
    """'std_srvs::srv::dds_::Trigger_Request_' -> 'std_srvs/srv/Trigger'."""
    return re.sub(r'_(Request|Response)$', '', ros_type(name))
