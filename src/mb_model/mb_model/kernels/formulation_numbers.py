"""Numbers of formulations, apart from their kernels, which take long to load."""

MATRIX_R = 0
COORDINATE_PARTITIONING = 1
PENALTY = 2
LAGRANGE = 3
CLOSED_FORM = 4
SEMI_RECURSIVE = 5
AUGMENTED_LAGRANGIAN = 6      # what index3_al solves, at the level of accelerations
