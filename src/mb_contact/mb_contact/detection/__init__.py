"""Whether something touches a mechanism: forces from outside against thresholds."""
