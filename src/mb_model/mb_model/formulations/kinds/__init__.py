"""The formulations, one in each file: integration.registry gathers them."""
