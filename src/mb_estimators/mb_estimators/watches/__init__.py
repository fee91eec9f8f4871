"""Watches over a filter: is each reading credible, and is the estimate still right?

Each watch is set up once and keeps nothing; its notes are a state, which it is given.
"""
