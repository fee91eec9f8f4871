"""What filters do and which states they have, asked of their classes, for tests of all filters."""

from dataclasses import fields

from mb_estimators import available_filters
from mb_estimators.filter import needs_hydraulics
from mb_estimators.filters.acceleration_points import AccelerationPointFilter
from mb_estimators.filters.augmented_ekf import AugmentedEkf
from mb_estimators.filters.bank import FilterBank
from mb_estimators.filters.dependent import DependentFilter
from mb_estimators.filters.error_ekf import ErrorEkf
from mb_estimators.filters.error_ekf_ej import ErrorEkfEj, HInfinity
from mb_estimators.filters.estimated_force import ForceFilter
from mb_estimators.filters.kinematic import KinematicFilter
from mb_estimators.filters.motion_window import MotionWindow
from mb_estimators.plugins import filter_class

# Settings by which no parameter, force or branch is in doubt
_NOTHING_IN_DOUBT = {
    'parameter_deviations': (1e-9,), 'parameter_walks': (0.0,), 'force_deviations': (1e-9,),
    'force_walks': (0.0,), 'modes': (0.0, 0.0), 'most': 1}


def filters_of(*families):
    """Return the names of the filters of families: base classes."""
    return tuple(name for name in available_filters() if issubclass(filter_class(name), families))


def filters_with(setting):
    """Return the names of the filters that have a setting."""
    return tuple(name for name in available_filters()
                 if setting in {field.name for field in fields(filter_class(name).Settings)})


def own_settings(name, values):
    """Return the values, by name, of settings that a filter has."""
    own = {field.name for field in fields(filter_class(name).Settings)}
    return {key: value for key, value in values.items() if key in own}


def known_parameters(name):
    """Return the settings of a filter by which no parameter, force or branch is in doubt."""
    return own_settings(name, _NOTHING_IN_DOUBT)


HYDRAULIC = tuple(name for name in available_filters() if needs_hydraulics(filter_class(name)))
COORDINATES = filters_of(DependentFilter)       # states q, qd
DEPENDENT = filters_with('dependent_variance')  # of these, on the constraints up to a tolerance
ACCELERATIONS = filters_of(AccelerationPointFilter)     # state zdd
KINEMATIC = filters_of(KinematicFilter)         # know no dynamics
GRAPHS = filters_of(MotionWindow)               # the force walks during a step, not after
WINDOWED = tuple(name for name in filters_of(ForceFilter) if name in filters_with('window'))
PENALTY = filters_with('penalty')       # of these, by stiff springs
PERFECT = filters_with('constraint_variance')   # take constraints for readings, with the others
CONTINUOUS = filters_with('jacobian')           # correct during the step
PULSES = filters_with('pulse_rate')             # the force is no random walk
# states z, zd, zdd
WALKS = tuple(name for name in filters_of(ForceFilter, KinematicFilter)
              if name not in (*GRAPHS, *PULSES))
# step the points of bodies by the trapezoidal rule
ERROR_STATE = filters_of(AugmentedEkf, ErrorEkf, ErrorEkfEj, FilterBank, ForceFilter, HInfinity)
# estimate a parameter by default
PARAMETER_FILTERS = tuple(name for name in filters_with('parameter_deviations')
                          if filter_class(name).Settings.defaults()['parameters'])
EULER = tuple(name for name in available_filters() if filter_class(name).steps_explicitly)
EXPONENTIAL = filters_with('exponential')       # step by the exponential, of fourth order
COUPLED = filters_with('force_time')            # masses and oil, as one
SMOOTHABLE = tuple(name for name in available_filters()
                   if hasattr(filter_class(name), 'cross_covariance'))
PUBLISHED = filters_with('as_published')
# (filter, settings) by which the code of a filter is another one
VARIANTS = [
    *((name, {'as_published': True}) for name in PUBLISHED),
    *((name, {'method': method, 'adapt': adapt, 'window': 5}) for name in filters_with('adapt')
      for method, adapt in (
          ('covariance_matching', 'both'), ('maximum_likelihood', 'both'), ('sage_husa', 'both'),
          ('variational_bayes', 'sensors'), ('variational_bayes', 'both'))),
    *((name, {'window': 5, 'coloured_sensors': ('second',)})
      for name in filters_with('coloured_sensors'))]
