"""A process that knows DDS, not ROS: what a ROS 2 node looks like on the wire, checked with it.

    python plain_peer.py echo | server | client

echo    sends each rt/joint_states back on rt/echo
server  answers std_srvs/srv/SetBool on /plain_service
client  calls /ros_service and prints the answer
"""
from dataclasses import dataclass
import os
import sys
import time
import types

from cyclonedds.domain import DomainParticipant
from cyclonedds.idl import IdlStruct, types as idl
from cyclonedds.pub import DataWriter
from cyclonedds.qos import Policy, Qos
from cyclonedds.sub import DataReader
from cyclonedds.topic import Topic
from cyclonedds.util import duration


def structure(type_name, /, **fields):
    def body(namespace):
        namespace['__annotations__'] = fields
    return dataclass(types.new_class(
        type_name.rpartition('::')[2], (IdlStruct,), {'typename': type_name}, body))


Time = structure('builtin_interfaces::msg::dds_::Time_', sec=idl.int32, nanosec=idl.uint32)
Header = structure('std_msgs::msg::dds_::Header_', stamp=Time, frame_id=str)
JointState = structure(
    'sensor_msgs::msg::dds_::JointState_', header=Header, name=idl.sequence[str],
    position=idl.sequence[idl.float64], velocity=idl.sequence[idl.float64],
    effort=idl.sequence[idl.float64])
Request = structure(
    'std_srvs::srv::dds_::SetBool_Request_', rmw_guid=idl.uint64, rmw_seq=idl.int64, data=bool)
Response = structure(
    'std_srvs::srv::dds_::SetBool_Response_', rmw_guid=idl.uint64, rmw_seq=idl.int64, success=bool,
    message=str)

QOS = Qos(Policy.Reliability.Reliable(duration(infinite=True)), Policy.History.KeepLast(10),
          Policy.WriterDataLifecycle(autodispose=False))
participant = DomainParticipant(int(os.environ['ROS_DOMAIN_ID']))


def reader(name, kind):
    return DataReader(participant, Topic(participant, name, kind), qos=QOS)


def writer(name, kind):
    return DataWriter(participant, Topic(participant, name, kind), qos=QOS)


def samples(source):
    while True:
        for sample in source.take(10):
            if sample.sample_info.valid_data:
                yield sample
        time.sleep(0.002)


def echo():
    back = writer('rt/echo', JointState)
    for sample in samples(reader('rt/joint_states', JointState)):
        back.write(sample)


def server():
    replies = writer('rr/plain_serviceReply', Response)
    for request in samples(reader('rq/plain_serviceRequest', Request)):
        replies.write(Response(request.rmw_guid, request.rmw_seq, not request.data, 'from DDS'))


def client():
    requests, replies = writer('rq/ros_serviceRequest', Request), reader(
        'rr/ros_serviceReply', Response)
    while not requests.get_matched_subscriptions() or not replies.get_matched_publications():
        time.sleep(0.002)
    requests.write(Request(77, 1, True))
    answer = next(samples(replies))
    print(answer.rmw_guid, answer.rmw_seq, answer.success, answer.message, flush=True)


if __name__ == '__main__':
    {'echo': echo, 'server': server, 'client': client}[sys.argv[1]]()
