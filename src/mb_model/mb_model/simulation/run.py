"""What a simulation gave, in memory and in files."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self
import zipfile

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.files.whole import whole_file
from mb_model.mechanism import Mechanism
from mb_model.simulation.arrays import (
    MOTION,
    motion_sizes,
    oil_arguments,
    oil_arrays,
    read_run_text,
    run_text,
)
from mb_model.simulation.error_estimate import ErrorEstimate

if TYPE_CHECKING:
    from mb_model.mechanism import Mechanism


@dataclass(frozen=True, repr=False)
class Run:
    """A motion of a mechanism at k instants.

    Attributes, by topic:

    - Time: `t` (k) [s]; `dt` between instants.
    - Motion: `z`, `zd`, `zdd` (k, g); `q`, `qd`, `qdd` (k, n); `main_coordinates`.
    - Forces: `forces` (k, g) on the degrees of freedom from outside; row i is held from t[i] to
      t[i + 1], the last row repeats the one before.
    - Origin: `mechanism`, `formulation`, `integrator`, `settings` of the formulation; `error`: the
      ErrorEstimate of its positions, None if there is none, as of a run of a single step.
    - Parameters: `parameters`, name -> values (k), set from an instant to the next.
    - Oil, None without (`has_oil`): `p` (k, v) [Pa], `U` (k, u), `U_in` (k, u), set from an instant
      to the next; `s`, `sd`, `cylinder_force`, `stop_force` (k, c) [m, m/s, N]; `supply_p`
      (k, supplies) [Pa] of a prototype, None: as in the file.
    """

    mechanism: Mechanism
    t: FloatArray
    z: FloatArray
    zd: FloatArray
    zdd: FloatArray
    q: FloatArray
    qd: FloatArray
    qdd: FloatArray
    forces: FloatArray
    formulation: str = ''
    integrator: str = ''
    settings: dict[str, Any] = field(default_factory=dict)
    error: ErrorEstimate | None = None
    p: FloatArray | None = None
    U: FloatArray | None = None
    U_in: FloatArray | None = None
    cylinder_force: FloatArray | None = None
    stop_force: FloatArray | None = None
    parameters: dict[str, FloatArray] = field(default_factory=dict)
    supply_p: FloatArray | None = None

    def __repr__(self) -> str:
        lines = [f'Run of {self.mechanism.name}: {self.t[-1] - self.t[0]:g} s, {len(self.t)} '
                 f'instants, by {self.formulation or "no formulation"}']
        lines += [f'  {name} from {values.min():.5g} to {values.max():.5g} '
                  f'{self.mechanism.unit(name)}' for name, values in (
                      (name, self.values(name)) for name in self.main_coordinates)]
        return '\n'.join(lines + ([
            f'  estimated error {self.error.largest:.2g} in {self.error.coordinate}']
            if self.error else []))

    @property
    def has_oil(self) -> bool:
        """Whether it has the arrays of the oil, and s and sd."""
        return self.p is not None

    @property
    def dt(self) -> float:
        """Distance of the instants [s], 0 if there is only one."""
        return float(self.t[1] - self.t[0]) if len(self.t) > 1 else 0.0

    @property
    def main_coordinates(self) -> tuple[str, ...]:
        """Names of coordinates that describe the motion: degrees of freedom, else prescribed."""
        return self.mechanism.independent or tuple(self.mechanism.described.prescribed)

    @property
    def s(self) -> FloatArray:
        """Lengths of the cylinders (k, c) [m]."""
        return self.q[:, self._cylinders]

    @property
    def sd(self) -> FloatArray:
        """Their rates (k, c) [m/s]."""
        return self.qd[:, self._cylinders]

    @property
    def _cylinders(self) -> Any:
        circuit: Any = self.mechanism.circuit       # there is one
        return circuit.cylinder_coordinates

    def values(self, name: str, array: str = 'q') -> FloatArray:
        """Return a coordinate (k) by its name, or its velocity 'qd' or acceleration 'qdd'."""
        return getattr(self, array)[:, self.mechanism.coordinates.index(name)]

    def energy(self) -> Any:
        """Return the EnergyBalance of the motion, the OilEnergyBalance if it has oil."""
        # Imported here: nodes need not wait for what it imports.
        if self.has_oil:
            from mb_model.simulation.energy import oil_energy_balance
            return oil_energy_balance(self)
        from mb_model.simulation.energy import energy_balance
        return energy_balance(self)

    def part(self, rows: slice) -> 'Run':
        """Return some instants, a slice, of a mechanism with the parameters at their start."""
        arrays: dict[str, Any] = {name: value[rows] for name, value in vars(self).items()
                  if isinstance(value, np.ndarray)}
        parameters = {name: values[rows] for name, values in self.parameters.items()}
        values = {name: float(values[0]) for name, values in parameters.items()}
        return replace(self, **arrays, parameters=parameters,
                       mechanism=self.mechanism.replace(parameters=values))

    def save(self, path: str | Path, storage: str = 'mcap') -> None:
        """Save as a file of numpy (path ends in .npz), else as a rosbag2 bag, a new folder.

        storage of a bag: 'mcap' or 'sqlite3'.  Raises OSError, ValueError.
        """
        if Path(path).suffix == '.npz':
            _write_npz(self, path)
        else:
            from mb_model.simulation.bag import write_bag
            write_bag(self, path, storage)

    @classmethod
    def load(cls, path: str | Path, topic: str | None = None) -> Self:
        """Return the Run that was saved at a path, equal to the bit.

        topic: which MechanismState of a bag, if there are several.  Raises OSError, ValueError.
        """
        if Path(path).suffix == '.npz':
            return cls(**_read_npz(path))
        from mb_model.simulation.bag import read_bag
        return cls(**read_bag(path, topic))


def _write_npz(run: Run, path: str | Path) -> None:
    """Write a Run into one file, whatever was there."""
    text = run_text(run.mechanism, run.formulation, run.integrator, run.settings, run.dt,
                    run.error)
    with whole_file(path) as part:
        np.savez(part, description=np.array(text),
                 **{name: getattr(run, name) for name in MOTION}, **oil_arrays(run))


def _read_npz(path: str | Path) -> dict[str, Any]:
    """Return what the Run of a file is made of, by name; raises OSError, ValueError."""
    try:
        with np.load(path) as archive:
            arrays = {name: archive[name] for name in (*MOTION, 'description')}
            more = {name: archive[name] for name in archive.files if name not in arrays}
    except (KeyError, ValueError, zipfile.BadZipFile, EOFError, AttributeError, TypeError) as error:
        raise ValueError(f'{path}: not a saved run ({error})') from None
    how, _ = read_run_text(str(arrays.pop('description')), f'{path}: description')
    mechanism, count = how['mechanism'], len(arrays['t'])
    for name, size in motion_sizes(mechanism).items():
        if arrays[name].shape != (count, size):
            raise ValueError(f'{path}: {name}: shape {arrays[name].shape} must be {(count, size)}')
    return how | arrays | oil_arguments(path, mechanism, count, more)
