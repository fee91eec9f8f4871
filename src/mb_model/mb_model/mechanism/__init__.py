"""A mechanism: its description, its compiled model, and the questions to ask of it."""

from mb_model.mechanism.mechanism import Mechanism, load_mechanism

__all__ = ['Mechanism', 'load_mechanism']
