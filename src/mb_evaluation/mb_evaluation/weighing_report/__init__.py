"""Runs of a machine that weighs its tool: angles of joints, loads, forces at the edge."""
