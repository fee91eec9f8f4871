"""Where an IMU sits on its body, identified from the body's motion and the IMU's readings."""
