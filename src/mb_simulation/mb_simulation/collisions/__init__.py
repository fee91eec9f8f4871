"""Scripted collisions of machines; without ROS, for prototypes and experiments."""

from mb_simulation.collisions.collision import Collision, read_collisions
from mb_simulation.collisions.random_collisions import KINDS, CollisionRun, random_collisions
from mb_simulation.collisions.script import CollisionScript

__all__ = ['KINDS', 'Collision', 'CollisionRun', 'CollisionScript', 'random_collisions',
           'read_collisions']
