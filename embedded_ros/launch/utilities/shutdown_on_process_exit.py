"""End a launch with one of its processes."""
from ..actions.register_event_handler import RegisterEventHandler
from ..actions.shutdown_action import Shutdown
from ..event_handlers import OnProcessExit


def shutdown_on_process_exit(executable_action) -> RegisterEventHandler:
    """Return an action that ends the launch when the process of another action has ended."""
    return RegisterEventHandler(event_handler=OnProcessExit(
        target_action=executable_action,
        on_exit=[Shutdown(reason=f'{executable_action} has exited')]))
