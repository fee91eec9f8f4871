"""Quantities as tables in files: CSV, and Parquet where pyarrow is installed."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from mb_evaluation.recordings.quantity import INNOVATION, Quantity
from mb_model.file_api import whole_file

NO_PARQUET = 'Parquet: needs the package pyarrow: pip install pyarrow'
SECONDS = 1e-9


def columns_of(quantities: Sequence[Quantity], origin: int) -> dict[str, np.ndarray]:
    """Return {heading: column (k)} of Quantities at all of their stamps, NaN where none is.

    The first two are the stamp [ns] and the time since an origin [ns] in seconds.  Beside a
    quantity are the ends of its 95 % interval, of an innovation those between which it was
    expected.
    """
    stamps = np.unique(np.concatenate([one.stamps for one in quantities]))
    columns = {'stamp [ns]': stamps, 'time [s]': (stamps - origin) * SECONDS}
    for one in quantities:
        rows = np.searchsorted(stamps, one.stamps)
        shown = {one.label: one.values}
        if one.has_interval:
            middle = 0.0 if one.kind == INNOVATION else one.values
            shown |= {f'{one.label} from': middle - one.half, f'{one.label} to': middle + one.half}
        for heading, values in shown.items():
            columns[heading] = np.full(len(stamps), np.nan)
            columns[heading][rows] = values
    return columns


def write_tables(columns: dict[str, np.ndarray], stem: Path) -> list[str]:
    """Write columns as STEM.csv and STEM.parquet; return what was not, and why, in words."""
    import pandas as pd  # now, as it takes half a second
    frame = pd.DataFrame(columns)
    with whole_file(stem.with_name(f'{stem.name}.csv')) as part:
        frame.to_csv(part, index=False)
    try:
        with whole_file(stem.with_name(f'{stem.name}.parquet')) as part:
            frame.to_parquet(part, engine='pyarrow', index=False)
    except ImportError:
        return [NO_PARQUET]
    return []
