"""Which files a description may name: none outside its folder and its packages."""

import pytest

from mb_import.reachable import reachable


@pytest.fixture
def robot(tmp_path):
    """Return the folder of a description in a package, beside another one and a secret."""
    for file in ('arm/package.xml', 'arm/urdf/near.stl', 'arm/meshes/link.stl', 'tool/tip.stl',
                 'secret.stl'):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text('')
    (tmp_path / 'arm/urdf/leads_out.stl').symlink_to(tmp_path / 'secret.stl')
    return tmp_path / 'arm/urdf'


@pytest.mark.parametrize(('uri', 'file'), [
    ('near.stl', 'arm/urdf/near.stl'), ('file://near.stl', 'arm/urdf/near.stl'),
    ('package://arm/meshes/link.stl', 'arm/meshes/link.stl'),
    ('model://arm/urdf/../meshes/link.stl', 'arm/meshes/link.stl'),
    ('package://tool/tip.stl', 'tool/tip.stl'), ('../../tool/tip.stl', 'tool/tip.stl'),
    ('../meshes/link.stl', None), ('../../secret.stl', None), ('leads_out.stl', None),
    ('package://arm/../secret.stl', None), ('package://tool/../secret.stl', None),
    ('package://secret.stl', None), ('package://not_installed/link.stl', None),
    ('http://example.org/near.stl', None), ('near.stl\0', None), ('', None), ('none.stl', None)])
def test_files_are_found_in_the_folder_and_in_packages_alone(robot, uri, file):
    root = robot.parents[1]
    assert reachable(uri, robot, robot, {'tool': '../../tool'}) == (file and root / file)


def test_absolute_names_are_judged_alike(robot):
    assert reachable(f'file://{robot}/near.stl', robot, robot, {}) == robot / 'near.stl'
    assert reachable('/etc/hostname', robot, robot, {}) is None
    assert reachable('file:///etc/hostname', robot, robot, {}) is None
