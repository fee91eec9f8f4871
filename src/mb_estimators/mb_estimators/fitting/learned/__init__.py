"""Forces beyond the rigid model, learned from the residuals of a fit."""
