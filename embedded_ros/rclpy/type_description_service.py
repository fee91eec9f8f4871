"""The service ~/get_type_description of every node."""
from rclpy.validate_topic_name import TOPIC_SEPARATOR_STRING

START_TYPE_DESCRIPTION_SERVICE_PARAM = 'start_type_description_service'


class TypeDescriptionService:
    """Describes the types that the node uses, if the parameter of this purpose is True."""

    def __init__(self, node):
        from rcl_interfaces.msg import ParameterDescriptor
        name = START_TYPE_DESCRIPTION_SERVICE_PARAM
        if not node.has_parameter(name):
            node.declare_parameter(name, True, ParameterDescriptor(
                description='Start the ~/get_type_description service for this node.',
                read_only=True))
        self._service = None
        if node.get_parameter(name).value is True:
            from type_description_interfaces.srv import GetTypeDescription
            self._service = node.create_service(
                GetTypeDescription, '~' + TOPIC_SEPARATOR_STRING + 'get_type_description',
                self._answer)

    @staticmethod
    def _answer(request, response):
        from embedded_ros import interfaces
        name = request.type_name
        try:
            found = interfaces.type_hash(name)
            if request.type_hash and request.type_hash != found:
                raise ValueError(f'the hash of {name} is {found}')
            _fill(response.type_description, interfaces.type_description(name))
        except Exception as error:
            response.failure_reason = f'{name}: {error}'
            return response
        if request.include_type_sources:
            referenced = response.type_description.referenced_type_descriptions
            names = [name] + [part.type_name for part in referenced]
            response.type_sources = [_source(part) for part in names]
        response.successful = True
        return response


def _source(name):
    from embedded_ros.interfaces import definition_text
    from type_description_interfaces.msg import TypeSource
    return TypeSource(type_name=name, encoding=name.split('/')[1],
                      raw_file_contents=definition_text(name))


def _fill(message, values):
    """Fill a message from nested dicts and lists."""
    kinds = message.get_fields_and_field_types()
    for field, value in values.items():
        if isinstance(value, dict):
            _fill(getattr(message, field), value)
        elif isinstance(value, list):
            setattr(message, field, [_element(kinds[field], item) for item in value])
        else:
            setattr(message, field, value)


def _element(kind, values):
    from embedded_ros.interfaces import get_interface
    package, name = kind[len('sequence<'):-1].split('/')
    message = get_interface(f'{package}/msg/{name}')()
    _fill(message, values)
    return message
