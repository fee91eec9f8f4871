"""A running machine in the browser, by Rerun's viewer."""
