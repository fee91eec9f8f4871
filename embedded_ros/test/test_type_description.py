"""The service ~/get_type_description."""
from embedded_ros.interfaces import definition_text, type_hash
from rclpy.parameter import Parameter
from type_description_interfaces.srv import GetTypeDescription


def _ask(make_node, spin_until, **fields):
    owner, user = make_node('owner'), make_node('user')
    client = user.create_client(GetTypeDescription, '/owner/get_type_description')
    assert client.wait_for_service(20.0)
    future = client.call_async(GetTypeDescription.Request(**fields))
    spin_until(future.done, owner, user)
    return future.result()


def test_description_of_a_message(make_node, spin_until):
    name = 'sensor_msgs/msg/JointState'
    answer = _ask(make_node, spin_until, type_name=name, type_hash=type_hash(name),
                  include_type_sources=True)
    assert answer.successful
    described = answer.type_description
    assert described.type_description.type_name == name
    assert [field.name for field in described.type_description.fields] == [
        'header', 'name', 'position', 'velocity', 'effort']
    assert {part.type_name for part in described.referenced_type_descriptions} == {
        'std_msgs/msg/Header', 'builtin_interfaces/msg/Time'}
    assert {source.type_name: source.raw_file_contents for source in answer.type_sources} == {
        part: definition_text(part)
        for part in (name, 'std_msgs/msg/Header', 'builtin_interfaces/msg/Time')}


def test_unknown_type(make_node, spin_until):
    answer = _ask(make_node, spin_until, type_name='no_package/msg/Nothing')
    assert not answer.successful
    assert 'no_package/msg/Nothing' in answer.failure_reason


def test_another_hash(make_node, spin_until):
    answer = _ask(make_node, spin_until, type_name='std_msgs/msg/String', type_hash='RIHS01_00')
    assert not answer.successful
    assert type_hash('std_msgs/msg/String') in answer.failure_reason


def test_the_parameter_switches_it_off(make_node):
    node = make_node('owner', parameter_overrides=[
        Parameter('start_type_description_service', value=False)])
    assert '/owner/get_type_description' not in dict(node.get_service_names_and_types())
