"""Call a service."""
import time

from ros2cli.message_types import service_class
from ros2cli.node import NODE_NAME_PREFIX
from ros2cli.values import positive_float, yaml_dictionary


def add_arguments(parser):
    parser.add_argument(
        'service_name', help='Name of the ROS service to call to (e.g. "/add_two_ints")'
    )
    parser.add_argument('service_type', help='Type of the ROS service (e.g. "std_srvs/srv/Empty")')
    parser.add_argument(
        'values',
        nargs='?',
        default='{}',
        help='Values to fill the service request with in YAML format (e.g. "{a: 1, b: 2}"), '
        'otherwise the service request will be published with default values',
    )
    parser.add_argument(
        '-r',
        '--rate',
        metavar='N',
        type=positive_float,
        help='Repeat the call at a specific rate in Hz',
    )


def main(args):
    import rclpy
    from rosidl_runtime_py import set_message_fields
    service = service_class(args.service_type)
    values = yaml_dictionary(args.values)
    request = service.Request()
    rclpy.init(args=[])
    try:
        node = rclpy.create_node('{}_requester_{}_{}'.format(
            NODE_NAME_PREFIX, *args.service_type.split('/')[::2]), start_parameter_services=False)
        client = node.create_client(service, args.service_name)
        try:
            set_message_fields(request, values)
        except Exception as error:      # whatever a setter makes of the user's value
            return f'Failed to populate field: {error}'
        if not client.wait_for_service(timeout_sec=0.25):
            print('waiting for service to become available...')
            client.wait_for_service()
        call(node, client, request)
        while args.rate:
            time.sleep(1 / args.rate)
            call(node, client, request)
    finally:
        rclpy.try_shutdown()
    return None


def call(node, client, request):
    """Make one call and print the response."""
    import rclpy
    print(f'requester: making request: {request!r}\n')
    future = client.call_async(request)
    rclpy.spin_until_future_complete(node, future)
    if future.result() is None:
        raise RuntimeError(f'Exception while calling service: {future.exception()!r}')
    print(f'response:\n{future.result()!r}\n')
