"""Whether there can be an estimator in C++ on this machine."""

from pathlib import Path

from ament_index_python.packages import PackageNotFoundError, get_package_prefix

from mb_estimators.command_api import require_compiler

PACKAGE, ESTIMATOR = 'mb_realtime', 'estimator'     # executable and name of the node, in both


def check_real_time(respawn: bool) -> None:
    """Raise ValueError unless there can be an estimator in C++; respawn: whether nodes come back.
    """
    try:
        there = (Path(get_package_prefix(PACKAGE)) / 'lib' / PACKAGE / ESTIMATOR).is_file()
        why = '' if there else 'has no component, as without mb_interfaces when it was built'
    except PackageNotFoundError:
        why = 'is not installed'
    if why:
        raise ValueError(f'realtime: true: the package {PACKAGE} {why}; expected a ROS 2 with '
                         'rclcpp, in which `colcon build` has built it, or realtime:=false')
    if respawn:
        raise ValueError('realtime: true: no estimator in C++ comes back where it was, expected '
                         'respawn:=false')
    require_compiler()
