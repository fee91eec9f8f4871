"""Simulation of mechanisms, and what it leaves: runs in memory and in files."""
