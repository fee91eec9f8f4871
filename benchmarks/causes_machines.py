"""Machines on which benchmarks.causes injects what is wrong."""

from dataclasses import dataclass, field
from pathlib import Path

from mb_model import load_mechanism

PUMPJACK = str(Path(__file__).parents[1] / 'docs/tutorials/own_mechanism/pumpjack.yaml')
SPRING = {'stiffness': 200.0, 'rest': 1.5, 'damping': 1.0}       # of ours, for peaucellier


@dataclass(frozen=True)
class Machine:
    """A mechanism with sensors, the body whose mass is wrong, start error [rad], spring."""

    file: str
    sensors: tuple[str, ...]
    body: str
    start: float = 1.0
    overrides: dict = field(default_factory=dict)
    spring: str = ''

    def load(self):
        """Return the Mechanism."""
        return load_mechanism(self.file).replace(**self.overrides)


MACHINES = (
    Machine('peaucellier', ('crank_encoder',), 'crank', spring='across', overrides={
        'coordinates': {'reach': {'kind': 'distance', 'points': ['O', 'P']}},
        'forces': {'across': {'kind': 'spring_damper', 'coordinate': 'reach', **SPRING}}}),
    Machine(PUMPJACK, ('beam_inclination', 'beam_gyro'), 'crank'),
    Machine('pendulum', ('encoder', 'gyro'), ''),
    # So exact that what no sensor reads shows how exact the model is
    Machine('pendulum', ('encoder',), '', overrides={'sensors': {'encoder': {'sigma': 1e-9}}}),
    Machine('inverted_slider_crank', ('crank_encoder',), 'rocker'),
    Machine('five_bar', ('crank_encoders', 'left_coupler_gyro'), 'left_crank'))
