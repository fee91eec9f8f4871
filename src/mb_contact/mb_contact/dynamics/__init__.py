"""Parameters of a machine's dynamics, identified from its motion and the forces of its drives."""
