"""How well the observer and the uncorrected model follow the prototype."""
