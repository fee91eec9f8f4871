"""What every node of mb_state_estimation shares: parameters, diagnostics, QoS, conversions."""
