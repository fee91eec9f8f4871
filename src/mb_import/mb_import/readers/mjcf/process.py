"""MuJoCo's compiler in another process, see compiling."""

from importlib.util import find_spec
from pathlib import Path

from mb_import.line_process import BrokenOffError, LineProcess
from mb_import.notes import Notes
from mb_import.readers.mjcf.records import Compiled, compiled_of

COMPILER = LineProcess('mb_import.readers.mjcf.compiling', 60.0)


def compile_mjcf(text: str, folder: Path, notes: Notes, compiler: LineProcess = COMPILER
                 ) -> Compiled:
    """Return an MJCF text as compiled; folder: of its meshes.  Raises MechanismError."""
    try:
        values = compiler.ask({'text': text, 'folder': str(folder.resolve())})
    except BrokenOffError:
        raise notes.error('MJCF', 'MuJoCo broke off while it read this') from None
    except TimeoutError:
        raise notes.error('MJCF', f'MuJoCo read it for {compiler.patience:g} s without an end'
                          ) from None
    if 'error' in values:
        raise notes.error('MJCF', ' '.join(values['error'].split()))
    return compiled_of(values)


def require_mujoco(notes: Notes) -> None:
    """Raise MechanismError if MuJoCo is not installed."""
    if find_spec('mujoco') is None:
        raise notes.error('MJCF', 'needs MuJoCo: pip install mujoco')
