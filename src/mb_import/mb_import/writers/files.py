"""The files of a format that describe a mechanism."""

from mb_import.notes import Notes
from mb_import.writers.machine import machine_of
from mb_import.writers.mjcf import mjcf_text
from mb_import.writers.sdf import sdf_text
from mb_import.writers.urdf import loops_yaml, machine_urdf
from mb_model import Mechanism
from mb_model.file_api import mechanism_text

FORMATS = 'urdf', 'sdf', 'mjcf'
_SUFFIXES = {'urdf': '.urdf', 'sdf': '.sdf', 'mjcf': '.xml'}


def description_files(mechanism: Mechanism, format_: str, notes: Notes) -> dict[str, str]:
    """Return name -> text of the files of one of FORMATS, the first one the description.

    Beside a URDF is a mechanism file that extends it by its loops, gravity and pose.  Raises
    MechanismError for what the format does not have.
    """
    unweighed = mechanism.described.unweighed
    if unweighed and format_ != 'urdf':
        raise notes.error(f'bodies.{unweighed[0]}', f'its mass is not known, and {format_.upper()} '
                                                    'has none without; a URDF has')
    machine = machine_of(mechanism, notes)
    name = f'{mechanism.name}{_SUFFIXES[format_]}'
    if format_ == 'urdf':
        loops = mechanism_text(loops_yaml(machine, name, notes))
        return {name: machine_urdf(machine, notes), f'{mechanism.name}_loops.yaml': loops}
    write = {'sdf': sdf_text, 'mjcf': mjcf_text}[format_]
    return {name: write(machine, notes)}
