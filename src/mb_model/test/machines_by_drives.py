"""Machines in space whose degrees of freedom are their drives, on a branch."""

from scipy.spatial.transform import Rotation

from mb_model import load_mechanism
from mb_model.space_api import body_poses


def by_drives(name, near=None):
    """Return a mechanism whose degrees of freedom are its drives, at the start of its file.

    near (n): position whose branch it is on, by default the file's; as it orders coordinates.
    """
    mechanism = load_mechanism(name)
    q = mechanism.q0 if near is None else near
    values = dict(zip(mechanism.coordinates, mechanism.q0.tolist(), strict=True))
    poses = {body: {'pose': {'at': at[0].tolist(), 'rpy': None,
                             'turn': Rotation.from_matrix(turn[0]).as_rotvec().tolist()}}
             for body, (at, turn) in body_poses(mechanism, q).items() if body != 'ground'}
    return mechanism.replace(
        independent=list(mechanism.drives), bodies=poses,
        start=dict.fromkeys(mechanism.independent) | {drive: values[drive]
                                                      for drive in mechanism.drives})
