"""`python -m config.stack.healthy [URL]`: whether the web server of this machine is healthy.

For whoever looks from where there is no other program for it, such as inside a container. URL is
that of a web server elsewhere. It prints the answer, and fails where that is not the good one.
"""

import os
import sys
import urllib.error
import urllib.request

from config.stack.profile import origin

SECONDS = 5


def main(arguments: list[str]) -> int:
    url = arguments[0] if arguments else f"{origin(os.environ)}/healthz"
    try:
        with urllib.request.urlopen(url, timeout=SECONDS) as answer:
            said, good = answer.read().decode(), True
    except urllib.error.HTTPError as error:
        said, good = f"{error.code} {error.reason}", False
    except OSError as error:
        said, good = f"no answer: {error}", False
    sys.stdout.write(f"{said}\n")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
