"""Does a filter know how wrong it is?  Normalized errors, and a verdict in words.

A filter is consistent if its errors are no larger than the covariance that it claims.  If model and
noises are exact, its innovations, the errors of its predicted readings, are white noise of the
covariance that it expects (Bar-Shalom, Li and Kirubarajan 2001, Sec. 5.4).  If it expects more
noise than there is, they are smaller: its intervals are wider than needed, but they hold.
"""
