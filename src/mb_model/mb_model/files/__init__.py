"""Every file and folder that packages of ours write, by one policy.

Results are the user's, as the umask says, and whole or not there; private files are for this user
alone.  A name that others know may be a link, a pipe or a file of theirs: nothing is followed, and
nothing that others can write is believed.  docs/how_to/security.md lists all of them.
"""

from mb_model.files.own import open_own, own_folder
from mb_model.files.paths import user_path
from mb_model.files.private import (
    new_run_folder,
    open_private,
    remove_private,
    replace_private,
)
from mb_model.files.whole import (
    made_folder,
    point_to,
    whole_file,
    whole_folder,
    write_whole,
)

__all__ = ['made_folder', 'new_run_folder', 'open_own', 'open_private', 'own_folder', 'point_to',
           'remove_private', 'replace_private', 'user_path', 'whole_file', 'whole_folder',
           'write_whole']
