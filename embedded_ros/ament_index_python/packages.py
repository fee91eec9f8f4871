"""Packages in the ament index and their folders."""
import os
import pathlib
import re

from ament_index_python.resources import get_resource, get_resources
from ament_index_python.search_paths import get_search_paths


class PackageNotFoundError(KeyError):
    """There is no such package in any of the search paths."""

    def __str__(self):
        message, *rest = self.args
        return message if not rest else super().__str__()


def get_packages_with_prefixes():
    """{package: prefix} of every package."""
    return get_resources('packages')


def get_package_prefix(package_name):
    """The installation prefix of a package.

    Raises PackageNotFoundError, or ValueError if that cannot be a package name.
    """
    if not re.fullmatch('[a-zA-Z0-9][a-zA-Z0-9_-]+', package_name):
        raise ValueError(f"'{package_name}' is not a valid package name")
    try:
        return get_resource('packages', package_name)[1]
    except LookupError:
        raise PackageNotFoundError(
            f"package '{package_name}' not found, searching: {get_search_paths()}") from None


def get_package_share_directory(package_name, print_warning=True):
    """`<prefix>/share/<package>`; a missing folder is only warned of."""
    path = os.path.join(get_package_prefix(package_name), 'share', package_name)
    if print_warning and not os.path.exists(path):
        import warnings
        warnings.warn(f'Share directory for {package_name} ({path}) does not exist.', stacklevel=2)
    return path


def get_package_share_path(package_name, print_warning=True):
    """The share directory as a pathlib.Path."""
    return pathlib.Path(get_package_share_directory(package_name, print_warning=print_warning))
