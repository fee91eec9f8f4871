"""Large mechanisms: the same equations, stored without the zeros, at a cost that grows like n.

A constraint addresses a dozen coordinates at most, so phi_q is kept by rows over these alone
(rows), the tangent of the index-3 method as a profile (profile, tangent), the systems of the
position problem and of Lagrange's equations as bands (band, dependent, augmented).  Where
everything goes is found once, when the mechanism is compiled (structure).  The algorithms are those
of mb_model.kernels; they reach the storage through kernels.storage.
"""
