"""How well masses are estimated from the motion and the pressures of a hydraulic machine."""
