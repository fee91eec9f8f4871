"""What is wrong with the estimate of a run of the three-simulation method, in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from mb_evaluation.accuracy.errors import lost_line
from mb_evaluation.reports.report import Figures

_VAGUE = 0.1            # of the model's error: the observer knows what it claims to be above that


def accuracy_objections(figures: Figures) -> list[str]:
    """Return objections to the estimate of a run, in words."""
    texts = []
    model, observer = figures['model'], figures['observer']
    if not model:
        texts.append('no message came from the model')
    if not observer:
        texts.append('no message came from the observer')
    if model and observer:
        names = figures['degrees_of_freedom']
        claimed = observer.get('position_claimed_after_2s') or [None] * len(names)
        vague = _vague(names, observer, model, claimed)
        for key, what, least in (
                ('position_rmse', 'position', [None] * len(names)),
                ('position_rmse_after_2s', 'position after 2 s', claimed)):
            for name, ours, theirs, known in zip(
                    names, observer[key], model[key], least, strict=True):
                if name not in vague and not _beats(ours, theirs, known,
                                                    optional=key.endswith('after_2s')):
                    texts.append(f'{name}: {what} RMSE of the observer {_number(ours)} is not '
                                 f"below the model's {_number(theirs)}")
        texts += _vague_objections(vague)
    texts += _nees_objections(figures['consistency']['nees'], figures['bounds']['nees'])
    if figures['estimate_lost']['why']:
        texts.append(f'the observer was {lost_line(figures["estimate_lost"])}')
    return texts


def _vague(names: Sequence[str], observer: Figures, model: Figures,
           claimed: Sequence[float | None]) -> dict[str, float]:
    """Return the deviations by name of what the observer neither knows nor claims to know."""
    keys = 'position_rmse', 'position_rmse_after_2s'
    unknown = {}
    for k, (name, known) in enumerate(zip(names, claimed, strict=True)):
        pairs = [(observer[key][k], model[key][k]) for key in keys]
        if known is not None and all(
                None not in pair and pair[0] >= pair[1] and known > _VAGUE * pair[1]
                for pair in pairs):
            unknown[name] = known
    return unknown


def _vague_objections(vague: Mapping[str, float]) -> list[str]:
    """Return in words what is in the _vague: deviations by name."""
    if not vague:
        return []
    known = ', '.join(f'{name} (+- {_number(deviation)})' for name, deviation in vague.items())
    return [f'not known better than by the model, as the observer claims, too: {known}; the '
            'sensors do not measure it: the command `observability` of mb_estimators says what '
            'stays open, and which sensor of the file would help']


def _nees_objections(nees: dict[str, Any] | None, bound: float) -> list[str]:
    """Return in words why the NEES shows that an estimate cannot be right."""
    if nees is None:
        return []
    mean = nees['mean_per_state']
    if mean is None:
        return ['the NEES of the observer is no number']
    if mean > bound:
        return [f'errors of the observer are {mean ** 0.5:.3g} times as large as it claims: NEES '
                f'{mean:.4g} per state, expected up to {bound:g}']
    return []


def _beats(ours: float | None, theirs: float | None, known: float | None, optional: bool) -> bool:
    """Return whether one RMSE is below another; None is no number, or was not due.

    known: the deviation that the observer claims.  A model that has come as near to the truth, as
    of a damped machine at rest, need not be beaten.
    """
    if ours is None or theirs is None:
        return optional and ours is theirs
    return ours < theirs or (known is not None and max(0.5 * ours, theirs) <= known)


def _number(value: float | None) -> str:
    """Return an RMSE as text."""
    return 'that is no number' if value is None else f'{value:.4g}'
