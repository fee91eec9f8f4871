"""Finds the single modules, and enters the ROS packages that are here into the ament index.

All else is in pyproject.toml.
"""
from pathlib import Path

from setuptools import Distribution, setup

HERE = Path(__file__).parent
BUILD = Path('build/share')
INDEX = 'ament_index/resource_index/packages'
NO_ROS_PACKAGES = ('embedded_ros', 'test')
MANIFEST = """\
<?xml version="1.0"?>
<package format="3">
  <name>{name}</name>
  <version>0.1.0</version>
  <description>What embedded_ros offers of {name}</description>
  <maintainer email="nobody@example.org">embedded_ros</maintainer>
  <license>Apache-2.0</license>
{group}</package>
"""
INTERFACES = '  <member_of_group>rosidl_interface_packages</member_of_group>\n'


def modules():
    """{name: whether it is an interface package} of the modules beside this file."""
    return {path.stem: 'provide_package(' in path.read_text(encoding='utf-8')
            for path in sorted(HERE.glob('*.py')) if path.name != 'setup.py'}


def ros_packages():
    """{name: whether it is an interface package} of the ROS packages beside this file."""
    folders = {path.parent.name: False for path in sorted(HERE.glob('*/__init__.py'))
               if path.parent.name not in NO_ROS_PACKAGES}
    single = {name: has_interfaces for name, has_interfaces in modules().items()
              if has_interfaces or name == 'tf_transformations'}
    return {**folders, **single}


def write(path, text):
    """Write a file to be installed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding='utf-8')
    return str(path)


def data_files():
    """The index entry and the manifest of every package."""
    for name, has_interfaces in ros_packages().items():
        manifest = MANIFEST.format(name=name, group=INTERFACES if has_interfaces else '')
        yield f'share/{INDEX}', [write(BUILD / INDEX / name, '')]
        yield f'share/{name}', [write(BUILD / name / 'package.xml', manifest)]


class DistributionWithData(Distribution):
    """Installs data files in editable mode too, where setuptools asks for `has_data`."""

    has_data = Distribution.has_data_files


setup(distclass=DistributionWithData, py_modules=list(modules()), data_files=list(data_files()))
