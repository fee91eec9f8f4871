"""Calls of services that belong to a node."""
import rclpy

TIMEOUT = 5.0       # [s] for the service to be found, and again for its answer


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
