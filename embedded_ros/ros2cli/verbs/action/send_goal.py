"""Send an action goal."""
from ros2cli.message_types import action_class
from ros2cli.node import NODE_NAME_PREFIX
from ros2cli.values import yaml_dictionary

STATUS = ('UNKNOWN', 'ACCEPTED', 'EXECUTING', 'CANCELING', 'SUCCEEDED', 'CANCELED', 'ABORTED')


def add_arguments(parser):
    parser.add_argument('action_name', help='Name of the ROS action (e.g. "/fibonacci")')
    parser.add_argument('action_type', help='Type of the ROS action '
                        "(e.g. 'action_tutorials_interfaces/action/Fibonacci')")
    parser.add_argument('goal', help="Goal request values in YAML format (e.g. '{order: 10}')")
    parser.add_argument('-f', '--feedback', action='store_true',
                        help='Echo feedback messages for the goal')


def main(args):
    import rclpy
    from rosidl_runtime_py import set_message_fields
    kind = action_class(args.action_type)
    goal = kind.Goal()
    try:
        set_message_fields(goal, yaml_dictionary(args.goal))
    except Exception as error:      # whatever a setter makes of the user's value
        return f'Failed to populate message fields: {error}'
    rclpy.init(args=[])
    try:
        node = rclpy.create_node('{}_send_goal_{}_{}'.format(
            NODE_NAME_PREFIX, *args.action_type.split('/')[::2]), start_parameter_services=False)
        return send_goal(node, kind, args.action_name, goal, args.feedback)
    finally:
        rclpy.try_shutdown()


def send_goal(node, kind, name, goal, feedback):
    """Send the goal, print what comes of it, cancel it on Ctrl-C."""
    from rclpy.action import ActionClient
    from rosidl_runtime_py import message_to_yaml
    client = ActionClient(node, kind, name)
    print('Waiting for an action server to become available...')
    client.wait_for_server()
    print(f'Sending goal:\n     {message_to_yaml(goal)}')
    handle = wait(node, client.send_goal_async(goal, print_feedback if feedback else None))
    if not handle.accepted:
        return 'Goal was rejected.'
    print(f'Goal accepted with ID: {bytes(handle.goal_id.uuid).hex()}\n')
    try:
        response = wait(node, handle.get_result_async())
    except KeyboardInterrupt:
        print('Canceling goal...')
        wait(node, handle.cancel_goal_async())
        raise
    print(f'Result:\n    {message_to_yaml(response.result)}')
    print(f'Goal finished with status: {STATUS[response.status]}')
    return None


def print_feedback(message):
    """Print what the server reports of its progress."""
    from rosidl_runtime_py import message_to_yaml
    print(f'Feedback:\n    {message_to_yaml(message.feedback)}')


def wait(node, future):
    """The result of a future."""
    import rclpy
    rclpy.spin_until_future_complete(node, future)
    return future.result()
