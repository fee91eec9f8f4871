"""How launched runs endure: for a long time, and with faults."""
