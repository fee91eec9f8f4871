"""Output of ROS commands in tests."""
import launch_testing.tools


def basic_output_filter(*, filtered_prefixes=None, filtered_patterns=None,
                        filtered_rmw_implementation=None):
    """Return a function that removes lines, see launch_testing.tools.basic_output_filter()."""
    patterns = list(filtered_patterns or ())
    if filtered_rmw_implementation:
        patterns.append(rf'.*(using|waiting for) {filtered_rmw_implementation}.*')
    return launch_testing.tools.basic_output_filter(
        filtered_prefixes=filtered_prefixes, filtered_patterns=patterns)
