"""What the library offers: its public modules, and every public name."""

from inspect import ismodule

import rr_engine

MODULES = [member for name in rr_engine.__all__ if ismodule(member := getattr(rr_engine, name))]
PUBLIC = {name: getattr(module, name) for module in MODULES for name in module.__all__}
