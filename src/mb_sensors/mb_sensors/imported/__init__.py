"""Logs of any machine: columns of tables as readings, known forces, commands and truth."""
