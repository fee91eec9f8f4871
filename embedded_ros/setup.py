"""Enters the packages embedded_ros stands in for into the ament index.

All else is in pyproject.toml.
"""
from pathlib import Path

from setuptools import Distribution, setup

HERE = Path(__file__).parent
BUILD = Path('build/share')
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


def packages():
    """[(name, whether it has interfaces)] of all packages and modules beside this file."""
    for path in sorted(HERE.iterdir()):
        if path.suffix == '.py' and path.name != 'setup.py':
            yield path.stem, 'provide_package(' in path.read_text(encoding='utf-8')
        elif (path / '__init__.py').is_file() and path.name not in ('embedded_ros', 'test'):
            yield path.name, False


def write(path, text):
    """Write a file to be installed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding='utf-8')
    return str(path)


def data_files():
    """The index entry and the manifest of every package."""
    index = 'ament_index/resource_index/packages'
    for name, has_interfaces in packages():
        manifest = MANIFEST.format(name=name, group=INTERFACES if has_interfaces else '')
        yield f'share/{index}', [write(BUILD / index / name, '')]
        yield f'share/{name}', [write(BUILD / name / 'package.xml', manifest)]


class DistributionWithData(Distribution):
    """Installs data files in editable mode too, where setuptools asks for `has_data`."""

    has_data = Distribution.has_data_files


setup(distclass=DistributionWithData, data_files=list(data_files()))
