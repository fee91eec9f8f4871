"""Viewers that a run can be watched in, and whether they are there."""

from ament_index_python.packages import PackageNotFoundError, get_package_prefix

from mb_evaluation.live.addresses import check_address
from mb_evaluation.live.server import check_installed

VIEWS = ('none', 'web', 'rviz')


def check_viewer(view: str, address: str) -> None:
    """Raise ValueError where one of VIEWS is not installed, or cannot be served on an address."""
    check_address(address)
    if view == 'web':
        check_installed()
    elif view == 'rviz':
        try:
            get_package_prefix('rviz2')
        except PackageNotFoundError:
            raise ValueError('view: rviz2 is not installed here; other viewers can show what '
                             '`ros2 run mb_evaluation markers` publishes') from None
