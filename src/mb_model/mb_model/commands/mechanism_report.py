"""What a mechanism is like at its start, as lines of text."""

from math import pi

import numpy as np

from mb_model.assembly.change_points import change_points
from mb_model.assembly.joint_branches import joint_branches
from mb_model.assembly.rolling import slip_jacobian
from mb_model.assembly.singular import weightless
from mb_model.mechanism.analysis import analyse

_NEARLY_SINGULAR = 1e-2      # a hundred times as far as the degrees of freedom: noise moves it
_SAME = 1e-3                 # of coordinates of branches, which are no others
_MOST = 6                    # branches and coordinates that are listed


def report(mechanism):
    """Return lines of text about a mechanism at its start."""
    analysis = analyse(mechanism, mechanism.q0)
    start = ', '.join(f'{name} = {value:.6g}' for name, value
                      in zip(mechanism.independent, mechanism.z0, strict=True))
    lines = [
        f'{mechanism.name}: {mechanism.description}' if mechanism.description else mechanism.name,
        f'degrees of freedom   {mechanism.g}' + (f' ({start} at the start)' if start else ''),
        *([f'rolling              {_rolling(mechanism)}'] if mechanism.rolling else []),
        f'independent          {_independent(mechanism, analysis)}',
        f'coordinates          {mechanism.n}: {", ".join(mechanism.coordinates)}',
        *([f'drives               {", ".join(mechanism.drives)}'] if mechanism.drives else []),
        f'constraints          {_constraints(mechanism)}',
        f'singularity          {analysis.singularity:.3g} (0: singular){_warning(analysis)}',
        *_masses(mechanism, analysis)]
    lines += (_parts_in_space if mechanism.dimension == 3 else _bodies)(mechanism)
    lines += [f'constraint           {name}: {_relation(one)}'
              for name, one in mechanism.described.constraints.items() if one.kind == 'linear']
    work = mechanism.workspace()
    work['q'][0, :mechanism.n] = mechanism.q0
    why = '' if mechanism.described.unweighed else weightless(
        mechanism.described, mechanism.model, work, mechanism.freedom.size)
    if why:
        lines.append(f'warning              singular: {why}')
    lines += [*_branches(mechanism), *_change_points(mechanism)]
    return lines + (_hydraulics(mechanism) if mechanism.circuit else [])


def _branches(mechanism):
    """Yield lines of text about other ways to assemble a mechanism in space."""
    branches = joint_branches(mechanism)
    if len(branches) < 2:
        return
    differ = [name for name, value in branches[0].coordinates.items()
              if any(abs(one.coordinates[name] - value) > _SAME for one in branches)]
    shown = dict.fromkeys(', '.join(f'{name} = {branch.coordinates[name]:.4g}'
                                    for name in differ[:_MOST]) for branch in branches)
    others = len(shown) - 1 or len(branches) - 1
    for k, values in enumerate(list(shown)[:_MOST]):
        yield (f'branch               {f"another, {k} of {others}" if k else "of the file"}'
               f'{": " if values else ""}{values}')
    if len(shown) == 1:
        yield f'branch               {others} more, which no named coordinate shows'


def _change_points(mechanism):
    """Yield lines of text about where the motion from the start of one in space is singular."""
    if mechanism.dimension == 3:
        for point in change_points(mechanism):
            what, why = ('reach ends', 'it closes no further') if point.ends else (
                'change point', 'another branch meets this one')
            yield f'{what:<21}{point.coordinate} = {point.value:.4g}: {why}'


def _masses(mechanism, analysis):
    """Return lines of text about what the whole mechanism weighs."""
    if unweighed := mechanism.described.unweighed:
        return [f'mass                 not known of {", ".join(unweighed)}: kinematics alone']
    return [f'mass                 {analysis.mass:.6g} kg, centre of gravity at '
            f'({_numbers(analysis.centre_of_gravity)}) m',
            *(f'reduced mass         {mechanism.independent[k]}: '
              + '  '.join(f'{value:.6g}' for value in row)
              for k, row in enumerate(analysis.reduced_mass))]


def _bodies(mechanism):
    """Return lines of text about the bodies of a mechanism in the plane."""
    return [f'body                 {name}: '
            + (f'{body.mass:g} kg, inertia {body.inertia:.6g} kg m^2' if body.weighed
               else 'no mass')
            + f', {" - ".join(body.points)}{_modes(body)}'
            for name, body in mechanism.bodies.items()]


def _modes(body):
    """Return what a flexible body is like, behind the others; empty of a rigid one."""
    if body.beam is None:
        return ''
    return f', bends at {_hertz(body.beam)} Hz with its ends held'


def _modes_in_space(body):
    """Return the same of a body in space."""
    if body.beam is None:
        return ''
    bends = ''.join(f', bends along {axis} at {_hertz(beam)} Hz with its ends held'
                    for axis, beam in body.beam.bending.items())
    torsion = body.beam.torsion
    return bends + (f', twists at {_hertz(torsion)} Hz with its first end held' if torsion else '')


def _hertz(beam):
    """Return the frequencies of a beam, as text."""
    return ', '.join(f'{value / (2.0 * pi):.4g}' for value in beam.frequencies)


def _parts_in_space(mechanism):
    """Return lines of text about bodies and joints of a mechanism in space."""
    lines = []
    for name, body in mechanism.bodies.items():
        moments = np.linalg.eigvalsh(body.inertia)
        points = f', {" - ".join(body.points)}' if body.points else ''
        weight = (f'{body.mass:g} kg, principal moments {_numbers(moments)} kg m^2'
                  if body.weighed else 'no mass')
        lines.append(f'body                 {name}: {weight}{points}'
                     f'{", slender" if body.slender else ""}{_modes_in_space(body)}')
    return lines + [f'joint                {joint.name}: {joint.kind}, {" - ".join(joint.bodies)}'
                    for joint in mechanism.joints.values()]


def _relation(constraint):
    """Return a linear constraint as text: 'crank - 2 rocker = 0.5'."""
    text = ''
    for name, factor in constraint.terms.items():
        sign = (' - ' if factor < 0.0 else ' + ') if text else '-' * (factor < 0.0)
        size = '' if abs(factor) == 1.0 else f'{abs(factor):.6g} '
        text += f'{sign}{size}{name}'
    return f'{text} = {constraint.sum:.6g}'


def _numbers(values):
    return ', '.join(f'{0.0 if abs(value) < 1e-12 else value:.6g}' for value in values)


def _hydraulics(mechanism):
    """Return lines of text about the oil at the start."""
    # Imported here: most mechanisms have no oil.
    from mb_model.mechanism.analysis import oil_frequencies
    circuit = mechanism.circuit
    s = mechanism.q0[circuit.cylinder_coordinates]
    forces = circuit.force(circuit.p0, np.zeros(len(s)))
    lines = [f'fluid volume         {name}: {1e-6 * p:.4g} MPa'
             for name, p in zip(circuit.volumes, circuit.p0, strict=True)]
    lines += [f'cylinder             {name}: {out:.4g} of {stroke:g} m out, {1e-3 * force:.4g} kN'
              for name, out, stroke, force in zip(
                  circuit.cylinders, s - circuit.retracted, circuit.stroke, forces, strict=True)]
    frequencies = ', '.join(f'{value:.3g}' for value in oil_frequencies(mechanism))
    return [*lines, f'swings on its oil    {frequencies} Hz',
            f'valves               {", ".join(circuit.valves) or "none that take commands"}']


def _independent(mechanism, analysis):
    """Return who chose the independent coordinates, and which would be as good or better."""
    names, best = (', '.join(group) for group in (mechanism.independent, analysis.best_independent))
    if not mechanism.g:
        return 'none, the motion is prescribed'
    if mechanism.chosen:
        return f'{names} (chosen, the file names none)'
    return names if names == best else f'{names} (less steep here: {best})'


def _rolling(mechanism):
    """Return on which joints bodies roll, and how many velocities that leaves."""
    q = mechanism.q0
    slips = np.linalg.matrix_rank(slip_jacobian(mechanism, q) @ mechanism.R(q))
    return f'{", ".join(mechanism.rolling)}: {mechanism.g - slips} velocities are free'


def _constraints(mechanism):
    """Return how many constraints there are, and which follow from others."""
    if not mechanism.redundant:
        return f'{mechanism.m}, none redundant'
    return (f'{mechanism.m}, and {len(mechanism.redundant)} redundant, left out: '
            f'{", ".join(mechanism.redundant)}')


def _warning(analysis):
    if analysis.singularity > _NEARLY_SINGULAR:
        return ''
    if not analysis.singularity > 0.0:
        return ', WARNING: singular here, the degrees of freedom do not decide the motion'
    return (f', WARNING: nearly singular here, something moves {1.0 / analysis.singularity:.0f} '
            'times as far as the degrees of freedom')
