"""What all nodes share: parameters, diagnostics, QoS, conversions."""
