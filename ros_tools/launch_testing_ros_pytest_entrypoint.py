"""Tests of launched ROS nodes in pytest; loads launch_testing for the files that need it."""


def pytest_configure(config):
    config.addinivalue_line(
        'markers', 'rostest: mark a generate_test_description function as a ROS launch test '
        'description')


def pytest_launch_collect_makemodule(module_path, parent, entrypoint):
    from launch_testing.pytest_hooks import LaunchTestModule, is_marked
    if is_marked(entrypoint, 'rostest'):
        return LaunchTestModule.from_parent(parent=parent, path=module_path)
    return None
