"""Resources of the ament index: files `share/ament_index/resource_index/<type>/<name>`."""
import os
import re

from ament_index_python.constants import RESOURCE_INDEX_SUBFOLDER
from ament_index_python.search_paths import get_search_paths


class InvalidResourceTypeNameError(ValueError):
    """A resource type that cannot be the name of a folder."""


class InvalidResourceNameError(ValueError):
    """A resource name that cannot be the name of a file."""


def name_is_invalid(resource_name):
    """Whether the name has a path separator in it."""
    return bool(re.search(r'[/\\]', resource_name))


def _check_type(resource_type):
    assert resource_type, 'The resource type must not be empty'
    if name_is_invalid(resource_type):
        raise InvalidResourceTypeNameError(f"Resource type '{resource_type}' is invalid")


def _check(resource_type, resource_name):
    _check_type(resource_type)
    assert resource_name, 'The resource name must not be empty'
    if name_is_invalid(resource_name):
        raise InvalidResourceNameError(f"Resource name '{resource_name}' is invalid")


def get_resource(resource_type, resource_name):
    """Content of a resource and the prefix it was found in; LookupError if there is none."""
    _check(resource_type, resource_name)
    for path in get_search_paths():
        resource_path = os.path.join(path, RESOURCE_INDEX_SUBFOLDER, resource_type, resource_name)
        if os.path.isfile(resource_path):
            try:
                with open(resource_path, encoding='utf-8') as handle:
                    return handle.read(), path
            except OSError as error:
                raise OSError(f"Could not open the resource '{resource_name}' of type "
                              f"'{resource_type}':\n{error}") from error
    raise LookupError(f"Could not find the resource '{resource_name}' of type '{resource_type}'")


def get_resources(resource_type):
    """{name: prefix} of every resource of this type; an earlier prefix hides a later one."""
    _check_type(resource_type)
    resources = {}
    for path in get_search_paths():
        folder = os.path.join(path, RESOURCE_INDEX_SUBFOLDER, resource_type)
        if os.path.isdir(folder):
            for name in os.listdir(folder):
                if (name not in resources and not name.startswith('.')
                        and not os.path.isdir(os.path.join(folder, name))):
                    resources[name] = path
    return resources


def get_resource_types():
    """The set of all resource types."""
    types = set()
    for path in get_search_paths():
        folder = os.path.join(path, RESOURCE_INDEX_SUBFOLDER)
        if os.path.isdir(folder):
            types.update(name for name in os.listdir(folder)
                         if not name.startswith('.') and os.path.isdir(os.path.join(folder, name)))
    return types


def has_resource(resource_type, resource_name):
    """The prefix the resource is found in, or False."""
    _check(resource_type, resource_name)
    for path in get_search_paths():
        if os.path.isfile(
            os.path.join(path, RESOURCE_INDEX_SUBFOLDER, resource_type, resource_name)
        ):
            return path
    return False
