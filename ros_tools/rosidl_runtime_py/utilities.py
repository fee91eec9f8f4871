"""Interfaces by their names: classes, files, descriptions."""
from importlib import import_module
import json
from pathlib import Path, PurePosixPath

from ament_index_python import get_package_share_directory, get_resource, get_resources

_INDEX = 'rosidl_interfaces'
_KINDS = ('.msg', '.srv', '.action')


def get_interface(identifier):
    """Class of 'std_msgs/msg/String' (or 'std_msgs/String'), 'std_srvs/srv/Trigger', ...

    Raises ValueError for a malformed name, ModuleNotFoundError for an unknown package,
    AttributeError for an unknown interface.
    """
    parts = identifier.split('/')
    if len(parts) == 2:
        parts.insert(1, 'msg')
    if len(parts) != 3 or not all(parts):
        raise ValueError(
            f"Invalid interface name '{identifier}', expected a form like 'std_msgs/msg/String'")
    return getattr(import_module('.'.join(parts[:2])), parts[2])


def is_message(interface):
    """Whether it is the class of a message."""
    return hasattr(interface, 'get_fields_and_field_types')


def is_service(interface):
    """Whether it is the class of a service."""
    return hasattr(interface, 'Request') and hasattr(interface, 'Response')


def get_message(identifier):
    """Class of a message; as get_interface, and ValueError if it is none."""
    return _checked(identifier, is_message, 'message')


def get_service(identifier):
    """Class of a service; as get_interface, and ValueError if it is none."""
    return _checked(identifier, is_service, 'service')


def _checked(identifier, is_right, kind):
    interface = get_interface(identifier)
    if not is_right(interface):
        raise ValueError(f"Expected the full name of a {kind}, got '{identifier}'")
    return interface


def get_interface_packages():
    """{package: prefix} of all packages that have interfaces."""
    return get_resources(_INDEX)


def get_interfaces(package_names=()):
    """{package: ['msg/String', ...]} of these packages, or of all.

    Raises LookupError for an unknown package, ValueError for a name instead of a list of names.
    """
    if isinstance(package_names, str):
        raise ValueError('Expected package_names to be a list of names, not a name')
    known = get_interface_packages()
    for package in package_names:
        if package not in known:
            raise LookupError(f"Unknown package '{package}'")
    return {package: _interfaces_of(package) for package in package_names or sorted(known)}


def _interfaces_of(package):
    files = map(PurePosixPath, get_resource(_INDEX, package)[0].split('\n'))
    return sorted({str(path.with_suffix('')) for path in files if path.suffix in _KINDS})


def get_interface_path(interface_name):
    """Path of the file that defines 'package/kind/Name'.

    Raises ValueError for a malformed name, LookupError if there is no such file.
    """
    parts = interface_name.split('/')
    if len(parts) != 3 or not all(parts):
        raise ValueError(f"Invalid name '{interface_name}'. Expected three parts separated by '/'")
    package, kind, name = parts
    if package not in get_interface_packages():
        raise LookupError(f"Unknown package '{package}'")
    path = Path(get_package_share_directory(package), kind, f'{name}.{kind}')
    if not path.is_file():
        raise LookupError(f"Could not find the interface '{interface_name}'")
    return str(path)


def type_description(interface_name):
    """What rosidl has written of a type: its hash, and the types it refers to.

    A dictionary with `type_hashes` and `type_description_msg`; errors as of get_interface_path.
    """
    path = Path(get_interface_path(interface_name)).with_suffix('.json')
    return json.loads(path.read_text(encoding='utf-8'))
