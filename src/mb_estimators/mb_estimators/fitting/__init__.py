"""A machine's numbers from bags: one maximum a posteriori that only possible machines can win."""
