"""What authors of commands and nodes use: arguments, exits, results, and settings in words."""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_model.commands.exits import (
        FAILURE,
        INTERRUPTED,
        USER_ERROR,
        add_force_argument,
        ending_on_sigterm,
        require_owned,
        run_command,
    )
    from mb_model.commands.numbers import COUNT, POSITIVE, POSITIVE_COUNT, Number
    from mb_model.commands.options import (
        add_fit_argument,
        assigned,
        changes_of,
        extended,
        fit_settings,
        require_file,
        require_folder,
    )
    from mb_model.commands.outputs import (
        add_output_arguments,
        check_outputs,
        require_states,
        summary,
        write_outputs,
    )
    from mb_model.commands.terminal import first_line, laid_out, list_plugins, settings_table, table
    from mb_model.simulation.progress import (
        ProgressLines,
        moving_console,
        with_progress,
        working,
    )
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
