"""Writes a CSV log of joints as recordings that the libraries of ROS make: python bags.py LOG.csv BAG MCAP

BAG is a ROS 2 bag by rosbags, MCAP a file by mcap-ros2-support. Both hold sensor_msgs/JointState on /joint_states, the joints
out of order and with two fingers of a gripper between them, and another topic."""
import csv
import sys

from mcap_ros2.writer import Writer as McapWriter
from rosbags.rosbag2 import StoragePlugin, Writer
from rosbags.typesys import Stores, get_typestore

log, bag, mcap = sys.argv[1:]
with open(log) as f:
    rows = list(csv.DictReader(f))
joints = [name[2:] for name in rows[0] if name.startswith("q_")]
order = joints[2:] + ["finger_left"] + joints[:2] + ["finger_right"]


def column(row, kind, at_rest):
    return [float(row[f"{kind}_{j}"]) if j in joints else at_rest for j in order]


def stamps():
    for row in rows:
        yield row, round(float(row["t"]) * 1e9) + 1_700_000_000_000_000_000


store = get_typestore(Stores.ROS2_HUMBLE)
State, Header, Time, Text = (store.types[n] for n in ("sensor_msgs/msg/JointState", "std_msgs/msg/Header", "builtin_interfaces/msg/Time", "std_msgs/msg/String"))
import numpy as np

with Writer(bag, version=9, storage_plugin=StoragePlugin.SQLITE3) as w:
    states = w.add_connection("/joint_states", State.__msgtype__, typestore=store)
    other = w.add_connection("/robot_description", Text.__msgtype__, typestore=store)
    for k, (row, ns) in enumerate(stamps()):
        if k == 0:
            w.write(other, ns, store.serialize_cdr(Text("no robot"), Text.__msgtype__))
        m = State(Header(Time(ns // 10**9, ns % 10**9), ""), order, *(np.array(column(row, kind, rest)) for kind, rest in (("q", 0.02), ("dq", 0.0), ("tau", 0.0))))
        w.write(states, ns, store.serialize_cdr(m, State.__msgtype__))

DEFINITION = """std_msgs/Header header
string[] name
float64[] position
float64[] velocity
float64[] effort
================================================================================
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
================================================================================
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
"""
with open(mcap, "wb") as f:
    w = McapWriter(f)
    schema = w.register_msgdef("sensor_msgs/msg/JointState", DEFINITION)
    for k, (row, ns) in enumerate(stamps()):
        w.write_message("/joint_states", schema, {
            "header": {"stamp": {"sec": ns // 10**9, "nanosec": ns % 10**9}, "frame_id": ""}, "name": order,
            "position": column(row, "q", 0.02), "velocity": column(row, "dq", 0.0), "effort": column(row, "tau", 0.0)}, ns, ns, k)
    w.finish()
