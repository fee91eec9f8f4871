"""Reports of runs as pages for the browser: one file that needs no other and no network."""
