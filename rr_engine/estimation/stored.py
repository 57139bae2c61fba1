"""Channels as plain lists, numbers and strings that JSON can hold, tagged by their kind."""

from collections.abc import Mapping
from typing import Any

from rr_engine.channels.bits import BitChannel
from rr_engine.channels.joint_channel import JointChannel
from rr_engine.channels.pooled import PooledChannel
from rr_engine.channels.product import ProductChannel
from rr_engine.channels.protocol import Channel
from rr_engine.channels.uniform import UniformChannel
from rr_engine.design import DesignMatrix
from rr_engine.errors import ArgumentError

Family = type[UniformChannel] | type[JointChannel] | type[BitChannel]
FIELDS: dict[str, tuple[Family, tuple[str, ...]]] = {
    "uniform": (UniformChannel, ("shape", "kept", "other", "denominator")),
    "joint": (JointChannel, ("shape", "weights", "denominator")),
    "bits": (BitChannel, ("bits", "kept", "raised", "denominator", "truths")),
}


def channel_to_dict(channel: Channel) -> dict[str, object]:
    """Return what :func:`channel_from_dict` reads: integers wherever the channel has them.

    A DesignMatrix is untagged: its entries or integers, with its labels.
    """
    if isinstance(channel, DesignMatrix):
        labels = {"categories": list(channel.categories), "reports": list(channel.reports)}
        if channel.integers is None:
            return {"matrix": channel.matrix.tolist(), **labels}
        table = {"integers": channel.integers.tolist(), "denominator": channel.denominator}
        return {**table, **labels}
    if isinstance(channel, ProductChannel):
        return {"kind": "product", "factors": [channel_to_dict(f) for f in channel.factors]}
    if isinstance(channel, PooledChannel):
        channels = [channel_to_dict(each) for each in channel.channels]
        return {"kind": "pooled", "channels": channels, "sizes": list(channel.sizes)}
    for kind, (family, fields) in FIELDS.items():
        if isinstance(channel, family):
            values = {name: getattr(channel, name) for name in fields}
            return {"kind": kind, **{n: _plain(value) for n, value in values.items()}}
    raise ArgumentError("channel", channel, "be one that the engine can store", "not_storable")


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def channel_from_dict(stored: Mapping[str, Any]) -> Channel:
    """Return the channel that :func:`channel_to_dict` wrote."""
    values = dict(stored)
    kind = values.pop("kind", None)
    if kind == "product":
        return ProductChannel(tuple(channel_from_dict(f) for f in values["factors"]))
    if kind == "pooled":
        channels = tuple(channel_from_dict(each) for each in values["channels"])
        return PooledChannel(channels, tuple(values["sizes"]))
    if kind is not None:
        return FIELDS[kind][0](**values)
    return DesignMatrix.from_integers(**values) if "integers" in values else DesignMatrix(**values)
