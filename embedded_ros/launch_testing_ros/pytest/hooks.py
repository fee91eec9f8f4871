"""Collect and run files of tests of ROS nodes."""
from launch_testing.pytest.hooks import LaunchTestItem, LaunchTestModule, is_marked

from ..test_runner import LaunchTestRunner


class ROSLaunchTestItem(LaunchTestItem):
    """All tests of one file, as one item."""

    def __init__(self, parent, *, name, runner_cls=LaunchTestRunner):
        super().__init__(parent, name=name, runner_cls=runner_cls)


class ROSLaunchTestModule(LaunchTestModule):
    """A file of tests of ROS nodes."""

    def makeitem(self, *args, **kwargs):
        return ROSLaunchTestItem.from_parent(*args, **kwargs)


def pytest_launch_collect_makemodule(module_path, parent, entrypoint):
    if is_marked(entrypoint, 'rostest'):
        return ROSLaunchTestModule.from_parent(parent=parent, path=module_path)
    return None
