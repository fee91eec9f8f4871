"""From bodies and joints in space to nodes, vectors, equations and masses."""
