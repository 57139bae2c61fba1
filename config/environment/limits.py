"""What is limited, and how long things may take."""

from config.environment.kinds import decimal, networks, rate, whole_number


class Limits:
    """Limits"""

    # Not above the cap that every browser enforces itself (static/js/rr/device.js).
    CANDOR_EPSILON_CAP = decimal(
        "the largest epsilon of one question; browsers refuse more than 8 by themselves",
        "8",
        maximum="8",
    )
    # A school or a village may share a network, so the default is generous.
    CANDOR_SUBMIT_RATE = rate(
        "responses from one network: an IPv4 address or a /64 of IPv6; a school may share one",
        "300/minute",
    )
    CANDOR_LOGIN_RATE = rate("attempts to sign in from one network", "10/minute")
    CANDOR_LOGIN_ACCOUNT_RATE = rate(
        "attempts to sign in to one account from browsers in which it has not signed in before "
        "([why](decisions/0017-limits-of-sign-in.md))",
        "20/hour",
    )
    CANDOR_PEOPLE_RATE = rate(
        "searches of one author for people to name as researchers or co-authors", "60/minute"
    )
    CANDOR_API_RATE = rate(
        "requests with one token of the [interface for programs](api.md)", "600/minute"
    )
    CANDOR_API_REFUSED_RATE = rate(
        "requests to it from one network without a token that is known", "60/minute"
    )
    CANDOR_WEBHOOK_NETWORKS = networks(
        "networks of the site's own, such as `10.1.0.0/16`, to which webhooks may be sent, also by "
        "`http`; without one they go to `https` addresses on the internet only "
        "([why](decisions/0088-an-interface-for-programs.md))"
    )
    CANDOR_THROTTLE_EXEMPT = networks(
        "addresses and networks that are not counted", under_make_run="127.0.0.1"
    )
    CANDOR_SUBMISSION_MAX_BYTES = whole_number(
        "the largest response", 65_536, minimum=1_024, unit="bytes"
    )
    CANDOR_SWEEP_SECONDS = whole_number(
        "how often surveys are closed on time, and jobs are recovered: lagging results, searches "
        "that wait or have lost their worker",
        15,
        minimum=1,
        unit="seconds",
    )
    CANDOR_SEARCH_SECONDS = whole_number(
        "after which a search for a device ends with the best it has",
        300,
        minimum=10,
        unit="seconds",
    )
    CANDOR_ROWS_AT_ONCE = whole_number(
        "people from which on a worker makes a file with a row for each, also of people who were "
        "made up. A row of more than ten reports counts as several, and so does each pair of "
        "questions that these people are drawn by",
        10_000,
        unit="people",
    )
    CANDOR_FILE_SECONDS = whole_number(
        "that such a file may take", 7_200, minimum=10, unit="seconds"
    )
    CANDOR_RECEIPT_DAYS = whole_number(
        "after the close of a survey until its receipts are deleted, the ids by which a response "
        "that is sent again is recognized: a third of the database. It cannot be reopened from "
        "then on. `0` keeps them for ever "
        "([why](decisions/0106-receipts-go-after-the-close.md))",
        90,
        unit="days",
    )
    CANDOR_TASK_MEMORY_MB = whole_number(
        "megabytes of data that one process of a worker may have; `0`: as many as there are",
        4096,
        unit="megabytes",
    )
