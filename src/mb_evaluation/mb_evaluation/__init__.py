"""What runs show: logs, accuracy, reports, pages, comparison and live views."""
