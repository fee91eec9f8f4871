"""When the discovery of a graph is believed to have ended."""
import time

LEAST = 2.0         # [s] that discovery is given in any case
QUIET = 0.5         # [s] without a change after which discovery is believed to have ended
MOST = 5.0          # [s] more that are waited for that
ALONE = 2.0         # [s] more that are waited for any other node: large processes come late
POLL_PERIOD = 0.05  # [s]
UNKNOWN_NODE = '_NODE_NAME_UNKNOWN_'


def wait_for_discovery(node, least=LEAST, wait=time.sleep):
    """Wait until the graph that a node sees has not changed for a while, but so long [s].

    wait(seconds) -> whether to wait no longer.
    """
    begin = changed = time.monotonic()
    graph = None
    while (now := time.monotonic()) < begin + least + MOST:
        before, graph = graph, _graph(node)
        alone = len(graph[0]) < 2 and now < begin + least + ALONE
        if graph != before or UNKNOWN_NODE in graph[2] or alone:
            changed = now
        elif now > begin + least and now > changed + QUIET:
            break
        if wait(POLL_PERIOD):
            break


def _graph(node):
    """What is known of the graph: nodes, services, and the nodes of each topic's endpoints."""
    topics = sorted(name for name, _ in node.get_topic_names_and_types())
    endpoints = [info.node_name for topic in topics
                 for info in (*node.get_publishers_info_by_topic(topic),
                              *node.get_subscriptions_info_by_topic(topic))]
    return (sorted(node.get_node_names_and_namespaces()),
            sorted(name for name, _ in node.get_service_names_and_types()), endpoints)
