"""Multibody models: mechanisms, kinematics, dynamics, simulation."""
