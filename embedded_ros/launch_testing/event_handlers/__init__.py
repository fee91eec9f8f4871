"""Event handlers of launch_testing."""
from .stdout_ready_listener import StdoutReadyListener

__all__ = ['StdoutReadyListener']
