"""Factors: compiled functions that write rows of an error and of its Jacobian, one per file.

A node of the graph is an instant with all its variables in one vector; a factor finds its variables
from an index of that vector on, and writes its rows from `row` on.  Jacobians that do not change
with the node are written all the same: rows that no factor writes stay zero.
"""
