"""Simulated machines: prototypes, control, collisions, work cycles, disturbances."""
