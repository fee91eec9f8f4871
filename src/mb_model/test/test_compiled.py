"""What keeps compiled code quick to start and never outdated."""

from mb_model import warm_up
from mb_model.fingerprint import fingerprint
from mb_model.kernels import entry_points
from mb_model.record import MODEL


def test_warming_up_compiles_every_entry_point():
    warm_up.warm_up()
    uncompiled = [name for name, function in vars(entry_points).items()
                  if hasattr(function, 'signatures') and not name.startswith('_')
                  and not function.signatures]
    assert uncompiled == []


def test_the_record_changes_with_the_sources_of_the_kernels(tmp_path):
    (tmp_path / 'a.py').write_text('x = 1\n')
    first = fingerprint(tmp_path)
    (tmp_path / 'a.py').write_text('x = 2\n')
    assert fingerprint(tmp_path) != first
    (tmp_path / 'a.py').write_text('x = 1\n')
    assert fingerprint(tmp_path) == first
    assert any(name.startswith('sources_') for name in MODEL.names)
