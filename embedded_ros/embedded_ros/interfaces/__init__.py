"""Messages, services and actions: classes, CDR encoding, hashes, definitions.

    cls = get_interface('std_msgs/msg/String')      the class; services: .Request .Response .Event
    interface_name(cls)                             'std_msgs/msg/String'
    data = serialize(cls(data='hello'))             bytes, XCDR1 little endian with its header
    deserialize(data, cls)                          the message again
    type_hash('std_srvs/srv/Trigger')               'RIHS01_...'
    field_types('std_msgs/msg/String')              {'data': 'string'}, without making the class
    dds_type_name('std_srvs/srv/Trigger_Request')   'std_srvs::srv::dds_::Trigger_Request_'
    definition_text(name)                           text of the .msg, .srv or .action
    list_packages(), list_interfaces('std_msgs')    what there is
    type_description(name)                          fields of it and of all messages it refers to
    provide_package(__name__)                       for the module `std_msgs` and its like
"""
from .codec import CDRError, deserialize, serialize
from .definitions import UnknownInterfaceError, list_interfaces, list_packages
from .names import dds_type_name, snake_case, split_name
from .packages import provide_package
from .registry import field_types, get_interface, interface_name, type_hash

__all__ = [
    'CDRError', 'UnknownInterfaceError', 'dds_type_name', 'definition_text', 'deserialize',
    'field_types',
    'get_interface', 'interface_name', 'list_interfaces', 'list_packages', 'provide_package',
    'serialize', 'snake_case', 'split_name', 'type_description', 'type_hash']


def definition_text(name):
    """Text of a message, service or action, as its file has it."""
    from .definitions import read_text
    return read_text('/'.join(split_name(name)))[0]


def type_description(name):
    """Description (REP-2016) of a message, service or action, as nested dicts."""
    from .description import type_description
    return type_description('/'.join(split_name(name)))
