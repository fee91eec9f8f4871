"""Bags of rosbag2: their messages read, whatever happened to the files, and new bags written."""

from mb_model.bags.messages import STATE_TYPE, BagError, message_types, stamp_of
from mb_model.bags.reader import BagReader, open_reader
from mb_model.bags.writer import STORAGES, NewBag, new_bag

__all__ = ['STATE_TYPE', 'STORAGES', 'BagError', 'BagReader', 'NewBag', 'message_types', 'new_bag',
           'open_reader', 'stamp_of']
