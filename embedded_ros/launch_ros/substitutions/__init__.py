"""Substitutions of launch_ros."""
from .executable_in_package import ExecutableInPackage
from .find_package import FindPackage, FindPackagePrefix, FindPackageShare
from .parameter import Parameter

__all__ = ['ExecutableInPackage', 'FindPackage', 'FindPackagePrefix', 'FindPackageShare',
           'Parameter']
