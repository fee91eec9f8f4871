"""Files of scripted collisions."""

import yaml

from mb_bringup.collisions.collision import Collision
from mb_bringup.shipped import shipped_file


def read_collisions(name_or_path):
    """Return the Collisions of a YAML file: a list under the key `collisions`.

    name_or_path: a file, or the name of one that comes with mb_bringup.  Raises OSError,
    ValueError in the user's words.
    """
    file = shipped_file('collisions', name_or_path, 'collisions', '.yaml')
    name = file.name
    try:
        raw = yaml.safe_load(file.read_text(encoding='utf-8'))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ValueError(f'{name}: not readable as YAML ({str(error).splitlines()[0]})') from None
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
