"""Files of scripted collisions."""

from mb_model.file_api import NotYamlError, load_yaml
from mb_simulation.collisions.collision import Collision
from mb_simulation.shipped import shipped_file


def read_collisions(name_or_path):
    """Return the Collisions of a YAML file: a list under the key `collisions`.

    name_or_path: a file, or the name of one that comes with mb_simulation.  Raises OSError,
    ValueError in the user's words.
    """
    file = shipped_file('collisions', name_or_path, 'collisions', '.yaml')
    name = file.name
    try:
        raw, _ = load_yaml(file.read_text(encoding='utf-8'))
    except UnicodeDecodeError:
        raise ValueError(f'{name}: not readable as YAML (not a text in UTF-8)') from None
    except NotYamlError as error:
        raise ValueError(f'{name}: not readable as YAML ({error})') from None
    if not isinstance(raw, dict) or list(raw) != ['collisions'] or not isinstance(
            raw['collisions'], list):
        raise ValueError(f'{name}: must be a mapping with a list of collisions')
    collisions = []
    for number, entry in enumerate(raw['collisions']):
        path = f'{name}: collisions[{number}]'
        if not isinstance(entry, dict):
            raise ValueError(f'{path}: {entry!r} must be a mapping with bodies, time, ...')
        try:
            collisions.append(Collision.from_mapping(entry))
        except ValueError as error:
            raise ValueError(f'{path}.{error}') from None
    return collisions
