"""Output of ROS commands in tests."""
from ament_index_python import get_resource, has_resource
import launch_testing.tools
from launch_testing.tools.output import (
    get_default_filtered_patterns,
    get_default_filtered_prefixes,
)

FILTER_TYPES = ('prefixes', 'patterns')


def get_rmw_output_filter(rmw_implementation, filter_type):
    """Return the lines of the resource rmw_output_<filter_type> of a middleware, if it has one."""
    if filter_type not in FILTER_TYPES:
        raise TypeError(f"'{filter_type}' is no filter_type: {', '.join(FILTER_TYPES)} are")
    resource = f'rmw_output_{filter_type}'
    if not has_resource(resource, rmw_implementation):
        return []
    return get_resource(resource, rmw_implementation)[0].splitlines()


def basic_output_filter(filtered_prefixes=None, filtered_patterns=None,
                        filtered_rmw_implementation=None):
    """Return a function that removes lines, see launch_testing.tools.basic_output_filter().

    It removes also what the middleware filtered_rmw_implementation wants to be removed.
    """
    filters = [get_default_filtered_prefixes() if filtered_prefixes is None else filtered_prefixes,
               get_default_filtered_patterns() if filtered_patterns is None else filtered_patterns]
    if filtered_rmw_implementation:
        filters = [[*given, *get_rmw_output_filter(filtered_rmw_implementation, filter_type)]
                   for given, filter_type in zip(filters, FILTER_TYPES, strict=True)]
    return launch_testing.tools.basic_output_filter(*filters)
