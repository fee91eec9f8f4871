"""Which body is touched, where and how hard, or what is clamped: hypotheses with probabilities."""
