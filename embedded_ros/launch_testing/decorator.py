"""Mark test classes."""


def post_shutdown_test():
    """Return a decorator for the test classes that run after the processes have ended."""
    def decorator(test_class):
        test_class.__post_shutdown_test__ = True
        return test_class
    return decorator
