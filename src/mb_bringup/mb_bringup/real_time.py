"""The estimator in C++: exported and compiled for a run, in place of the node in Python."""

from collections.abc import Mapping, Sequence
from pathlib import Path
import subprocess
from typing import Any

from launch_ros.actions import Node

from mb_bringup.node_processes import every_process
from mb_bringup.onlookers import with_launch
from mb_bringup.real_time_check import ESTIMATOR, PACKAGE

# What the stream in C does not do, whatever a launch file asks for.
IN_C = {'restart': False, 'stuck_after': 0}


def real_time_estimator(parameters: Mapping[str, Any], folder: Path,
                        remappings: Sequence[tuple[str, str]] = (), **options: Any) -> Node:
    """Return the process of an estimator in C++ with the parameters of the node in Python.

    folder: of the run, in which the filter is exported and compiled; options: of launch's Node.
    Raises ValueError for what is not there in C.
    """
    # Imported here: it imports the kernels of all filters, and few launches need it.
    from mb_estimators.command_api import component_parameters
    try:
        own = component_parameters(parameters, folder / 'realtime_estimator')
    except subprocess.CalledProcessError as error:
        raise ValueError(f'realtime: true: {error}') from error
    own['use_sim_time'] = bool(parameters.get('use_sim_time'))
    prefix = [*with_launch(), *filter(None, [options.pop('prefix', '')])]
    return Node(package=PACKAGE, executable=ESTIMATOR, name=ESTIMATOR, exec_name=ESTIMATOR,
                parameters=[own], remappings=list(remappings),
                **{**every_process(**options), 'prefix': ' '.join(prefix)})
