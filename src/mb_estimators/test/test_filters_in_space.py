"""Every filter on machines in space."""

from coordinate_readings import readings_of_z
from filter_traits import (
    ACCELERATIONS,
    COUPLED,
    GRAPHS,
    KINEMATIC,
    PENALTY,
    known_parameters,
    own_settings,
)
import numpy as np
import pytest

from mb_estimators import available_filters, make_filter
from mb_model import load_mechanism, simulate, simulate_hydraulics

DT, SIGMA = 1e-3, 1e-3
WIDE = {'acceleration_variance': 100.0, 'initial_acceleration_variance': 1e4}


@pytest.fixture(scope='module', params=['six_axis_arm', 'quarter_car', 'delta', 'excavator'])
def motion(request):
    mechanism = load_mechanism(request.param)
    return mechanism, simulate(mechanism, 0.1, DT)


@pytest.mark.parametrize('name', available_filters(load_mechanism('excavator')))
def test_it_follows_machines_in_space(name, motion):
    """From a wrong start, by one reading for each degree of freedom, better than they are.

    Without oil, unless the filter has masses and oil, as one.
    """
    mechanism, truth = motion
    if name not in available_filters(mechanism):
        pytest.skip('needs hydraulics')
    if name in COUPLED:
        truth = simulate_hydraulics(mechanism, 0.1, DT)
    if name in GRAPHS and mechanism.name == 'excavator':
        pytest.skip('its graph loses forces of 100 kN to rounding in steps as short as DT')
    steps = 2 if name in PENALTY else 1         # in DT: beyond, its springs are too stiff
    dt = DT / steps
    filter_ = make_filter(name, mechanism, readings_of_z(mechanism, SIGMA), dt,
                          **known_parameters(name),
                          **(own_settings(name, WIDE) if name in KINEMATIC else {}))
    wrong = SIGMA * np.resize([1.0, -2.0, 1.5], mechanism.g)
    filter_.reset(mechanism.z0 + wrong, mechanism.zd0)
    random, errors = np.random.default_rng(5), []
    for z in truth.z[1:]:
        for _ in range(steps):
            filter_.predict(dt)
        filter_.correct(z + SIGMA * random.normal(size=mechanism.g))
        errors.append(filter_.estimate.z - z)
    deviation = np.sqrt(np.mean(np.square(errors[50:]), axis=0)).max()
    # the damping ratio of filters of accelerations is h omega / 4: they swing
    assert deviation < (5.0 if name in ACCELERATIONS else 1.0) * SIGMA
    assert mechanism.closing_error(filter_.estimate.q) < 1e-3
