"""The model server under whatever numbers: refused in words, or finite answers."""

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
import rclpy

from mb_interfaces import srv
from mb_model.nodes.model_messages import not_finite
from mb_model.nodes.model_server import ModelServerNode
from mb_model.sensible import LARGEST
from mb_ros.node_bench import arguments_of

SERVICES = {'solve_position': 'SolvePosition', 'solve_velocity': 'SolveVelocity',
            'solve_acceleration': 'SolveAcceleration', 'forward_dynamics': 'ForwardDynamics',
            'inverse_dynamics': 'InverseDynamics', 'reactions': 'Reactions',
            'linearise': 'Linearise'}
MECHANISMS = 'four_bar', 'five_bar', 'crane', 'bricard', 'stewart'
NUMBERS = st.one_of(st.floats(-10.0, 10.0), st.floats(), st.sampled_from(
    [np.inf, -np.inf, np.nan, 1e308, -1e300, 5e-324, 1e17, LARGEST, 0.0]))


@pytest.fixture(scope='module', params=MECHANISMS)
def served(request):
    """(mechanism, {service: callback}) of a model server."""
    rclpy.init(args=arguments_of([f'mechanism:={request.param}']))
    node = ModelServerNode()
    yield node._mechanism, {service.srv_name.rpartition('/')[2]: service.callback
                            for service in node.services}
    node.destroy_node()
    rclpy.shutdown()


@pytest.mark.parametrize('service', SERVICES)
def test_no_success_with_numbers_that_are_not(served, service):
    mechanism, callbacks = served
    kind = getattr(srv, SERVICES[service])
    sizes = {'z': mechanism.g, 'zd': mechanism.g, 'zdd': mechanism.g, 'force': mechanism.g,
             'near': mechanism.n}
    fields = {name: size for name, size in sizes.items()
              if name in kind.Request.get_fields_and_field_types()}
    lists = {name: st.one_of(st.lists(NUMBERS, min_size=size, max_size=size),
                             st.lists(NUMBERS, max_size=size + 1))
             for name, size in fields.items()}

    @settings(deadline=None, max_examples=40)
    @given(request=st.fixed_dictionaries(lists))
    def attack(request):
        answer = callbacks[service](kind.Request(**request), kind.Response())
        assert not not_finite(answer)
        assert answer.success != bool(answer.message)
        if answer.success:
            assert all(np.isfinite(numbers).all() for numbers in request.values())
    attack()
    calm = {name: [0.0] * size for name, size in fields.items() if name not in ('z', 'near')}
    right = kind.Request(z=mechanism.q0[[mechanism.coordinates.index(name) for name in
                                         mechanism.independent]].tolist(), **calm)
    assert callbacks[service](right, kind.Response()).success      # it goes on
