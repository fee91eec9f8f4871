"""Types of the numpy records that compiled filter steps work on, one file for each."""
