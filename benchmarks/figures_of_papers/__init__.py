"""Figures of the five papers that show results, each drawn by a command in the paper's form.

A file for each paper has its functions and its table FIGURES; catalogue.py has all of them.
"""
