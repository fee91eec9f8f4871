"""What messages become in the view in a browser."""
