"""Various service related sub-commands."""
import rclpy
from rosidl_runtime_py import set_message_fields

from ros2cli.names import Kind, service_class
from ros2cli.node import NAME_PREFIX, GraphNode
from ros2cli.values import yaml_dictionary

VERBS = {
    'call': 'Call a service',
    'find': 'Output a list of available services of a given type',
    'info': 'Print information about a service',
    'list': 'Output a list of available services',
    'type': "Output a service's type",
}
SERVICES = Kind('service')
TIMEOUT = 10.0      # [s] for the service to be found, and again for its answer
add_list_arguments, add_find_arguments = SERVICES.add_list_arguments, SERVICES.add_find_arguments
add_info_arguments = add_type_arguments = SERVICES.add_name_argument
run_find, run_type = SERVICES.find, SERVICES.type


def run_list(args):
    with GraphNode(args) as node:
        SERVICES.list(args, node.settle())


def run_info(args):
    with GraphNode(args) as node:
        types = SERVICES.types_of(node, args.name)
        if not types:
            return f"Unknown service '{args.name}'"
        node.settle()
        print('Type:', types[0] if len(types) == 1 else types)
        print('Clients count:', node.count_clients(args.name))
        print('Services count:', node.count_services(args.name))
    return None


def call_service(node, kind, name, request):
    """The response of a service.  Raises RuntimeError if it is not there or does not answer."""
    client = node.create_client(kind, name)
    try:
        if not client.wait_for_service(timeout_sec=TIMEOUT):
            raise RuntimeError(f"Service '{name}' is not available")
        future = client.call_async(request)
        rclpy.spin_until_future_complete(node, future, timeout_sec=TIMEOUT)
        if not future.done():
            raise RuntimeError(f"Service '{name}' does not answer")
        return future.result()
    finally:
        node.destroy_client(client)


def add_call_arguments(parser):
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


def run_call(args):
    service = service_class(args.service_type)
    values = yaml_dictionary(args.values)
    request = service.Request()
    rclpy.init(args=[])
    try:
        node = rclpy.create_node('{}_requester_{}_{}'.format(
            NAME_PREFIX, *args.service_type.split('/')[::2]), start_parameter_services=False)
        client = node.create_client(service, args.service_name)
        try:
            set_message_fields(request, values)
        except Exception as error:      # whatever a setter makes of the user's value
            return f'Failed to populate field: {error}'
        if not client.wait_for_service(timeout_sec=0.25):
            print('waiting for service to become available...')
            client.wait_for_service()
        call(node, client, request)
    finally:
        rclpy.try_shutdown()
    return None


def call(node, client, request):
    """Make one call and print the response."""
    print(f'requester: making request: {request!r}\n')
    future = client.call_async(request)
    rclpy.spin_until_future_complete(node, future)
    if future.result() is None:
        raise RuntimeError(f'Exception while calling service: {future.exception()!r}')
    print(f'response:\n{future.result()!r}\n')
