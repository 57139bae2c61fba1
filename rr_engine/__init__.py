"""Statistics of randomized response: devices, their privacy, and estimates from their reports.

Here are the names that most people need; all others are in the modules of their task, such as
`rr_engine.designs`, and found here too. Each is loaded when somebody first asks for it.
"""

from rr_engine.fronts import attach

__version__ = "0.1.0"
__getattr__, __dir__ = attach(__name__, with_modules=True)
