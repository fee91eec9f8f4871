"""The attributes of rclpy's nodes on ROS 2 Jazzy, which no subclass may replace by its own."""

_OF_NODE = """
    PARAM_REL_TOL _Node__executor_weakref _Node__handle _Node__node _Node__waitables
    _allow_undeclared_parameters _apply_descriptor _apply_descriptor_and_set _apply_descriptors
    _apply_floating_point_range _apply_integer_range _call_post_set_parameters_callback
    _call_pre_set_parameters_callback _check_undeclared_parameters _clients _clock _context
    _count_clients_or_servers _count_publishers_or_subscribers _declare_parameter_common
    _default_callback_group _descriptors _get_info_by_topic _guards _logger
    _on_set_parameters_callbacks _parameter_event_publisher _parameter_overrides
    _parameter_service _parameters _post_set_parameters_callbacks _pre_set_parameters_callbacks
    _publishers _rate_group _services _set_parameters_atomically
    _set_parameters_atomically_common _subscriptions _time_source _timers
    _type_description_service _validate_qos_or_depth_parameter _validate_topic_or_service_name
    _wake_executor add_on_set_parameters_callback add_post_set_parameters_callback
    add_pre_set_parameters_callback add_waitable clients context count_clients count_publishers
    count_services count_subscribers create_client create_guard_condition create_publisher
    create_rate create_service create_subscription create_timer declare_parameter
    declare_parameters default_callback_group describe_parameter describe_parameters
    destroy_client destroy_guard_condition destroy_node destroy_publisher destroy_rate
    destroy_service destroy_subscription destroy_timer executor
    get_client_names_and_types_by_node get_clock get_fully_qualified_name
    get_fully_qualified_node_names get_logger get_name get_namespace get_node_names
    get_node_names_and_namespaces get_node_names_and_namespaces_with_enclaves get_parameter
    get_parameter_or get_parameter_type get_parameter_types get_parameters
    get_parameters_by_prefix get_publisher_names_and_types_by_node get_publishers_info_by_topic
    get_service_names_and_types get_service_names_and_types_by_node
    get_subscriber_names_and_types_by_node get_subscriptions_info_by_topic
    get_topic_names_and_types guards handle has_parameter list_parameters publishers
    remove_on_set_parameters_callback remove_post_set_parameters_callback
    remove_pre_set_parameters_callback remove_waitable resolve_service_name resolve_topic_name
    services set_descriptor set_parameters set_parameters_atomically subscriptions timers
    undeclare_parameter wait_for_node waitables
"""

_OF_LIFECYCLE_NODE = """
    _LifecycleNodeMixin__change_state _LifecycleNodeMixin__check_is_initialized
    _LifecycleNodeMixin__execute_callback _LifecycleNodeMixin__on_change_state
    _LifecycleNodeMixin__on_get_available_states
    _LifecycleNodeMixin__on_get_available_transitions _LifecycleNodeMixin__on_get_state
    _LifecycleNodeMixin__on_get_transition_graph _LifecycleNodeMixin__register_callback
    _LifecycleNodeMixin__transition_callback_impl _callbacks _managed_entities
    _service_change_state _service_get_available_states _service_get_available_transitions
    _service_get_state _service_get_transition_graph _state_machine add_managed_entity
    create_lifecycle_publisher destroy_lifecycle_publisher on_activate on_cleanup on_configure
    on_deactivate on_error on_shutdown trigger_activate trigger_cleanup trigger_configure
    trigger_deactivate trigger_shutdown
"""

NODE = frozenset(_OF_NODE.split())
LIFECYCLE_NODE = NODE | frozenset(_OF_LIFECYCLE_NODE.split())
