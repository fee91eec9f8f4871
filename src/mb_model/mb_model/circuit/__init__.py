"""The hydraulic circuit of a mechanism: its record, its kernels, questions to ask of it."""
