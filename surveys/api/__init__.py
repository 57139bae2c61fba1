"""The interface for programs, under /api/v1/: resources over the services that pages use too.

It is loaded by the first request for it (`surveys.api.door`). docs/api.md is its guide.
"""

ROOT = "api/v1/"
