"""How bad a line is: the one home of these values."""

from dataclasses import dataclass

from mb_model import INT64_MAX, Settings, setting

KINDS = 'dropped', 'duplicated', 'reordered', 'corrupted'


@dataclass(frozen=True)
class DisturbanceSettings(Settings):
    """Shares of the messages of a topic with each fault; each kind is drawn for itself."""

    dropped: float = setting(0.1, at_least=0.0, at_most=1.0, help='Share that never arrives')
    duplicated: float = setting(0.1, at_least=0.0, at_most=1.0, help='Share that arrives twice')
    reordered: float = setting(
        0.1, at_least=0.0, at_most=1.0,
        help='Share that is overtaken by up to `overtaken` later messages')
    corrupted: float = setting(
        0.1, at_least=0.0, at_most=1.0,
        help='Share with something wrong: a number, a length, a name, the stamp, bytes')
    overtaken: int = setting(3, at_least=1, help='By how many messages at most')
    seed: int = setting(0, at_least=0, at_most=INT64_MAX,
                        help='Seed of the draws')
