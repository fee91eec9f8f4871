"""Services and clients publish their calls for observers."""
import pytest
from rclpy.qos import qos_profile_system_default
from rclpy.service_introspection import ServiceIntrospectionState
from service_msgs.msg import ServiceEventInfo
from std_srvs.srv import SetBool

OFF, METADATA, CONTENTS = ServiceIntrospectionState


@pytest.fixture
def call(make_node, spin_until):
    """call(state) -> the events of a call with True, by their type; the answer says 'done'."""
    node, events = make_node('owner'), []

    def serve(request, response):
        response.message = 'done'
        return response

    service, client = node.create_service(SetBool, 'work', serve), node.create_client(
        SetBool, 'work')
    looking = node.create_subscription(SetBool.Event, 'work/_service_event', events.append, 10)
    assert client.wait_for_service(10.0)

    def events_of(state):
        events.clear()
        for end in (service, client):
            end.configure_introspection(node.get_clock(), qos_profile_system_default, state)
        wanted = 0 if state == OFF else 2
        spin_until(lambda: looking.get_publisher_count() == wanted, node)
        future = client.call_async(SetBool.Request(data=True))
        spin_until(lambda: future.done() and len(events) >= 2 * wanted, node)
        return {event.info.event_type: event for event in events}

    return events_of


ALL = {ServiceEventInfo.REQUEST_SENT, ServiceEventInfo.REQUEST_RECEIVED,
       ServiceEventInfo.RESPONSE_SENT, ServiceEventInfo.RESPONSE_RECEIVED}


def test_all_four_events_of_a_call_bear_the_same_number_and_client(call):
    events = call(METADATA)
    assert set(events) == ALL
    assert len({(event.info.sequence_number, bytes(event.info.client_gid))
                for event in events.values()}) == 1
    assert all(event.info.stamp.sec > 0 for event in events.values())
    assert not any(event.request or event.response for event in events.values())


def test_contents_are_published_where_wanted(call):
    events = call(CONTENTS)
    for kind in (ServiceEventInfo.REQUEST_SENT, ServiceEventInfo.REQUEST_RECEIVED):
        assert events[kind].request == [SetBool.Request(data=True)]
        assert not events[kind].response
    for kind in (ServiceEventInfo.RESPONSE_SENT, ServiceEventInfo.RESPONSE_RECEIVED):
        assert events[kind].response == [SetBool.Response(message='done')]
        assert not events[kind].request


def test_it_can_be_switched_off_and_on_again(call):
    assert set(call(METADATA)) == ALL
    assert not call(OFF)
    assert set(call(CONTENTS)) == ALL
