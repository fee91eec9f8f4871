"""Evaluation of runs: logs, accuracy, reports, pages, comparison and live views."""
