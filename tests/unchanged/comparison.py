"""Records of what was published, and what differs between two of them."""

from collections.abc import Mapping

# The digests of surveys by name: the SHA-256 of each item, by its name.
Record = Mapping[str, Mapping[str, str]]


def differences(before: Record, after: Record) -> list[str]:
    """Return a line for each survey or item that is new, missing or changed."""
    lines = []
    for survey in sorted({*before, *after}):
        if survey not in after or survey not in before:
            lines.append(f"{'missing' if survey in before else 'new'}: {survey}")
            continue
        old, new = before[survey], after[survey]
        for item in sorted({*old, *new}):
            if item not in new:
                lines.append(f"missing: {survey} {item}")
            elif item not in old:
                lines.append(f"new: {survey} {item}")
            elif old[item] != new[item]:
                lines.append(f"changed: {survey} {item}")
    return lines
