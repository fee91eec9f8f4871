"""A remapping for the nodes that follow."""
from launch.action import Action
from launch.frontend import expose_action
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions


@expose_action('set_remap')
class SetRemap(Action):
    """Gives all nodes that follow in this scope a remapping, before their own ones."""

    def __init__(self, src, dst, **kwargs):
        super().__init__(**kwargs)
        self.__src = normalize_to_list_of_substitutions(src)
        self.__dst = normalize_to_list_of_substitutions(dst)

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['src'] = parser.parse_substitution(entity.get_attr('from'))
        kwargs['dst'] = parser.parse_substitution(entity.get_attr('to'))
        return cls, kwargs

    @property
    def src(self):
        return self.__src

    @property
    def dst(self):
        return self.__dst

    def execute(self, context):
        rule = (perform_substitutions(context, self.__src),
                perform_substitutions(context, self.__dst))
        others = context.launch_configurations.get('ros_remaps') or ()
        context.launch_configurations['ros_remaps'] = [*others, rule]
