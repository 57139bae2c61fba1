"""Version of the engine, stored beside every result."""

__version__ = "0.1.0"
