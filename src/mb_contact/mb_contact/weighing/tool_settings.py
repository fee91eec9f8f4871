"""Settings of a tool that is weighed."""

from dataclasses import dataclass

from mb_model import Settings, setting


@dataclass(frozen=True)
class ToolSettings(Settings):
    """A tool at the end of a chain of links, moved by cylinders; the excavator's by default."""

    load: str = setting('load', help='Mass in the tool, a name in the `parameters` of the file')
    load_body: str = setting('load', help='Body of that mass')
    tool: str = setting('bucket', help='Body of the tool, the last of the links')
    edge: str = setting('tip', help='Point of the tool at which the ground pushes')
    frame: str = setting('house', help='Body in whose x-z plane the links move')
    links: tuple[str, ...] = setting(
        ('boom', 'arm', 'bucket'), help='Bodies of the links, each with its pin at its origin')
    angles: tuple[str, ...] = setting(
        ('boom_angle', 'arm_angle', 'bucket_angle'), help='Angle of each, a degree of freedom')
    cylinders: tuple[str, ...] = setting(
        ('boom_length', 'arm_length', 'bucket_length'), help='Coordinates of the cylinders')
    moment_sigmas: tuple[float, ...] = setting(
        (3e3, 2e3, 1e3), unit='N m', help='Deviations of the moments about the pins, for the edge')
    edge_window: float = setting(
        0.25, unit='s', at_least=0.0, at_most=2.0,
        help='The force at the edge is a mean over so long, half of it after its stamp, and comes '
             'as much later')
    opened: float = setting(
        0.75, unit='rad', help='A tool whose angle is beyond this is empty')
    emptied: float = setting(
        4.0, unit='s', at_least=0.0, help='So long after that nothing is taken up yet')
    shown: float = setting(
        0.5, unit='s', at_least=0.0, help='A weighing ends so long after the last reading of the '
                                          'stop')
    pressure_sigma: float = setting(
        2e4, unit='Pa', above=0.0, help='Deviation of the noise of pressures')
    correlation_time: float = setting(
        0.02, unit='s', above=0.0,
        help='Time over which errors of accelerations and pressures stay alike, on balance. The '
             'longer, the less many instants help')
    mass_uncertainty: float = setting(
        0.03, above=0.0, help='Deviation of the mass of each link, as a share of it, before '
                              'anything was weighed')
    friction_uncertainty: float = setting(
        0.3, above=0.0, help='Deviation of the friction of each cylinder, as a share of it, before '
                             'anything was weighed')
    largest_deviation: float = setting(
        100.0, unit='kg', above=0.0, help='What is known no better at its end is no weighing')
    clinging: float = setting(
        5.0, unit='kg', above=0.0, help='Deviation of what is left in an empty tool')
