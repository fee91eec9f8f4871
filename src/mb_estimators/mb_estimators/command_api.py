"""What authors of commands and nodes use of the estimators: arguments, parameters, pages."""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_estimators.commands.filters import filter_page, overview as filters_overview
    from mb_estimators.commands.node_parameters import (
        add_node_arguments,
        check_names,
        given_parameters,
        recorded_parameters,
    )
    from mb_estimators.commands.options import (
        add_filter_arguments,
        fill_in,
        filter_settings,
        model_and_sensors,
        run_command,
    )
    from mb_estimators.fitting.oil_numbers import oil_paths, oil_values
    from mb_estimators.fitting.oil_stiffness import stiffnesses
    from mb_estimators.fitting.recorded import add_torques_are, add_torques_arguments
    from mb_estimators.native.compiler import require_compiler
    from mb_estimators.native.component import component_parameters
    from mb_estimators.papers import settings_as_in
    from mb_estimators.recording.input_topic import (
        COMMAND_TOPIC,
        COMMAND_TYPE,
        FORCES_TYPE,
    )
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
