from rr_engine.channels.bits import BitChannel as BitChannel
from rr_engine.channels.joint_channel import JointChannel as JointChannel
from rr_engine.channels.joint_designs import joint_design as joint_design
from rr_engine.channels.product import ProductChannel as ProductChannel
from rr_engine.channels.protocol import Channel as Channel
from rr_engine.channels.tallies import margin_of as margin_of
from rr_engine.channels.uniform import UniformChannel as UniformChannel
