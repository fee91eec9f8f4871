"""What acts on a machine from outside: unknown masses, forces and contacts."""
