"""Whether the page of a survey is what it says: its files, parameters, chances, and headers.

Nothing of the site's code is used: what a device can reveal is computed from the integers that are
served, by the second implementation of the protocol, `candor.respondent`.
"""

from candor.verification.checking import Report, verify
from candor.verification.findings import Finding, Findings, State
from candor.verification.minisign import PublicKey, read_key
from candor.verification.sources import Fetched, Network, Recording, Source

__all__ = [
    "Fetched",
    "Finding",
    "Findings",
    "Network",
    "PublicKey",
    "Recording",
    "Report",
    "Source",
    "State",
    "read_key",
    "verify",
]
