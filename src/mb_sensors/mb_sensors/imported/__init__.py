"""Logs of any machine: columns of a CSV file as readings, known forces and truth."""
