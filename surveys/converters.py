"""Parts of addresses that Django has no converter for; a name is registered once in a process."""

from django.urls import register_converter
from django.urls.converters import PathConverter


class WholeConverter(PathConverter):
    """The rest of an address, also with line feeds in it, which those of Django leave out."""

    regex = r"[\s\S]+"


register_converter(WholeConverter, "whole")
