"""Parts of SDF texts, and machines of them."""

from read_machines import read_file


def machine_of(tmp_path, body, version='1.11', **options):
    """Return the Machine of what is in an <sdf>, and its Notes."""
    path = tmp_path / 'machine.sdf'
    path.write_text(f'<sdf version="{version}">{body}</sdf>', encoding='utf-8')
    return read_file(path, **options)


def link(name, pose='', inner=''):
    """Return a link of 1 kg with other elements in it."""
    return (f'<link name="{name}">{pose}<inertial><mass>1</mass><inertia><ixx>1</ixx>'
            f'</inertia></inertial>{inner}</link>')


def joint(type_, inner='', name='j', ends=('base', 'arm'), attributes=''):
    """Return a joint of a type between two links."""
    return (f'<joint name="{name}" type="{type_}"{attributes}><parent>{ends[0]}</parent>'
            f'<child>{ends[1]}</child>{inner}</joint>')


def model(*parts, name='m'):
    """Return a model with links base and arm, and other parts."""
    return (f'<model name="{name}">{link("base")}{link("arm", "<pose>0 0 1 0 0 0</pose>")}'
            f'{"".join(parts)}</model>')
