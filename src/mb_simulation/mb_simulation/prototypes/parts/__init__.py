"""What MuJoCo prototypes in the plane and in space are made of."""
