"""Finds the single modules, and enters the ROS packages that are here into the ament index.

All else is in pyproject.toml.
"""
from pathlib import Path

from setuptools import Distribution, setup

HERE = Path(__file__).parent
BUILD = Path('build/share')
INDEX = 'ament_index/resource_index/packages'
NO_ROS_PACKAGES = ('ros_tools', 'test')
MANIFEST = """\
<?xml version="1.0"?>
<package format="3">
  <name>{name}</name>
  <version>0.3.0</version>
  <description>What ros_tools offers of {name}</description>
  <maintainer email="nobody@example.org">ros_tools</maintainer>
  <license>Apache-2.0</license>
</package>
"""


def modules():
    """Names of the modules beside this file."""
    return sorted(path.stem for path in HERE.glob('*.py') if path.name != 'setup.py')


def ros_packages():
    """Names of the ROS packages beside this file."""
    return [path.parent.name for path in sorted(HERE.glob('*/__init__.py'))
            if path.parent.name not in NO_ROS_PACKAGES]


def write(path, text):
    """Write a file to be installed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding='utf-8')
    return str(path)


def data_files():
    """The index entry and the manifest of every package."""
    for name in ros_packages():
        manifest = MANIFEST.format(name=name)
        yield f'share/{INDEX}', [write(BUILD / INDEX / name, '')]
        yield f'share/{name}', [write(BUILD / name / 'package.xml', manifest)]


class DistributionWithData(Distribution):
    """Installs data files in editable mode too, where setuptools asks for `has_data`."""

    has_data = Distribution.has_data_files


setup(distclass=DistributionWithData, py_modules=modules(), data_files=list(data_files()))
