"""What a set of sensors determines of the state of a mechanism along a motion.

The observability Gramian sums the information of every reading on the state at the start: its
inverse is the covariance of the best estimate of that state by the readings, without plant noise.
"""
