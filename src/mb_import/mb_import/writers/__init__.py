"""Descriptions written from mechanisms: URDF, SDF and MJCF, with loops."""
