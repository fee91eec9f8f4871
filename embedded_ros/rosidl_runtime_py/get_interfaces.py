"""The interfaces there are, by package."""
from embedded_ros.interfaces import list_interfaces, list_packages
from embedded_ros.interfaces.definitions import find_text


def get_interface_packages():
    """Sorted names of all packages that have interfaces."""
    return sorted(list_packages())


def get_interfaces(package_names=()):
    """{package: ['msg/String', ...]} of these packages, or of all.

    Raises LookupError for an unknown package, ValueError for a name instead of a list of names.
    """
    if isinstance(package_names, str):
        raise ValueError('Expected package_names to be a list of names, not a name')
    known = list_packages()
    for package in package_names:
        if package not in known:
            raise LookupError(f"Unknown package '{package}'")
    return {package: sorted(name.partition('/')[2] for name in list_interfaces(package))
            for package in package_names or sorted(known)}


def get_message_interfaces(package_names=()):
    """{package: names} of messages only."""
    return _of_kind('msg', package_names)


def get_service_interfaces(package_names=()):
    """{package: names} of services only."""
    return _of_kind('srv', package_names)


def get_action_interfaces(package_names=()):
    """{package: names} of actions only."""
    return _of_kind('action', package_names)


def _of_kind(kind, package_names):
    chosen = {package: [name for name in names if name.startswith(f'{kind}/')]
              for package, names in get_interfaces(package_names).items()}
    return {package: names for package, names in chosen.items() if names}


def get_interface_path(interface_name):
    """Path of the file that defines 'package/kind/Name'.

    Raises ValueError for a malformed name, LookupError if there is no such file (which is so for
    many standard messages, whose definitions come from rosbags).
    """
    parts = interface_name.split('/')
    if len(parts) != 3 or not all(parts):
        raise ValueError(f"Invalid name '{interface_name}'. Expected three parts separated by '/'")
    if parts[0] not in list_packages():
        raise LookupError(f"Unknown package '{parts[0]}'")
    path = find_text(interface_name)
    if path is None:
        raise LookupError(f"Could not find the interface '{interface_name}'")
    return str(path)
