"""What authors of commands and nodes use of the estimators: arguments, parameters, pages."""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_estimators.commands.exits import run_command
    from mb_estimators.commands.filters import filter_page, overview as filters_overview
    from mb_estimators.commands.node_parameters import (
        add_node_arguments,
        given_parameters,
        recorded_parameters,
    )
    from mb_estimators.commands.options import (
        add_filter_arguments,
        fill_in,
        filter_settings,
        model_and_sensors,
    )
    from mb_estimators.recording.commands import COMMAND_TYPE, FORCES_TYPE, TOPIC as COMMAND_TOPIC
    from mb_estimators.setting_names import check_names
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
