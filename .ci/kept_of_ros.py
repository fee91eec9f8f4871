"""Print, as constraints for pip, the versions of what ROS 2 was built or is tested with."""

from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version

KEPT = (
    'numpy',        # message classes are compiled against it
    'pytest',       # launch_testing is a plugin made for it
    'setuptools',   # colcon builds with it
)

for name in KEPT:
    with suppress(PackageNotFoundError):
        print(f'{name}=={version(name)}')
