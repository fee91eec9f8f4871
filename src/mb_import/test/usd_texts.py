"""Parts of USDA texts, and machines of them."""

from read_machines import read_file


def stage_of(tmp_path, body, head='metersPerUnit = 1\n    upAxis = "Z"', **options):
    """Return the Machine of a USDA text, and its Notes."""
    path = tmp_path / 'machine.usda'
    path.write_text(f'#usda 1.0\n(\n    {head}\n)\n{body}', encoding='utf-8')
    return read_file(path, **options)


def body(name, at=(0, 0, 0), inner='', apis=''):
    return f"""def Xform "{name}" (
    prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"{apis}]
)
{{
    double3 xformOp:translate = {at}
    uniform token[] xformOpOrder = ["xformOp:translate"]
    float physics:mass = 1
    float3 physics:diagonalInertia = (1, 1, 1)
    point3f physics:centerOfMass = (0, 0, 0)
    {inner}
}}
"""


def joint(kind, name='J', ends=('Base', 'Arm'), inner='', apis=''):
    rels = '\n'.join(f'    rel physics:body{index} = </{end}>' for index, end in enumerate(ends)
                     if end)
    head = f' (\n    prepend apiSchemas = [{apis}]\n)' if apis else ''
    return f'def Physics{kind}Joint "{name}"{head}\n{{\n{rels}\n    {inner}\n}}\n'


TWO = body('Base') + body('Arm', (0, 0, 1))
AT_ARM = '\n    point3f physics:localPos0 = (0, 0, 1)'
