"""Forces of mechanisms: every kind in one file of `kinds`, gathered by mb_model.registry."""
