"""Friction of hydraulic cylinders, identified from their motion and pressures."""
