"""What programs and people share: bags, parameters, YAML, .adm files, results that are whole."""

from typing import TYPE_CHECKING

from mb_model.exports import exports

if TYPE_CHECKING:
    from mb_model.adams.measured import Reaction, reaction_on_i, reported
    from mb_model.adams.model import AdamsModel, adams_model, read_adams
    from mb_model.adams.statements import AdamsError
    from mb_model.assembly.repairs import snapped
    from mb_model.bags.alike import AlikeMessages
    from mb_model.bags.messages import STATE_TYPE, BagError, message_types, stamp_of, tidied
    from mb_model.bags.reader import BagReader, open_reader
    from mb_model.bags.writer import COMPRESSIONS, STORAGES, NewBag, new_bag
    from mb_model.files.own import own_folder
    from mb_model.files.paths import user_path
    from mb_model.files.private import (
        new_run_folder,
        open_private,
        remove_private,
        replace_private,
    )
    from mb_model.files.spilled import Spilled
    from mb_model.files.whole import (
        made_folder,
        point_to,
        whole_file,
        whole_folder,
        write_whole,
    )
    from mb_model.mechanism_file.expressions import ExpressionError, evaluate as evaluate_expression
    from mb_model.mechanism_file.file import (
        description_of,
        import_notes,
        mechanism_text,
        read_mechanism_file,
    )
    from mb_model.mechanism_file.overrides import merged, overrides_text, parameter_overrides
    from mb_model.mechanism_file.reading import whole_mapping
    from mb_model.mechanism_file.yaml_loader import NotYamlError, load_yaml
    from mb_model.settings import shown, text_objection
    from mb_model.settings.parameter_file import (
        RECORDED,
        GivenParameters,
        read_parameters,
        write_recorded,
    )
    from mb_model.settings.parameter_yaml import sections_text, value_text
    from mb_model.settings.units import GRAVITY, SPELLED, UNITS, without_unit
    from mb_model.simulation.bag import state_message
else:
    EXPORTS, __all__, __getattr__ = exports(__name__)
