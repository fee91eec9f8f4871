"""Interface package rmw_dds_common."""
from embedded_ros.interfaces import provide_package

provide_package(__name__)
