"""Messages as shapes and curves of the view in a browser."""
