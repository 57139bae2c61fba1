"""Webhooks: addresses that are told what happens."""

from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Callable

from candor.documents import Delivery, Webhook
from candor.errors import CandorError
from candor.verbs.common import (
    agrees,
    say,
    secret_file,
    show,
    site_of,
    survey_of,
    takes_secret_file,
    takes_survey,
    tell,
)

EVENTS = ("survey.launched", "survey.closed", "results.released", "fit.ready")


def add_to(verbs: "_SubParsersAction[ArgumentParser]") -> None:
    webhooks = verbs.add_parser(
        "webhooks", help="addresses that are told: list, add, deliveries, enable, delete"
    )
    kinds = webhooks.add_subparsers(required=True, metavar="COMMAND")
    kinds.add_parser("list", help="list the webhooks of this account").set_defaults(run=list_all)
    added = kinds.add_parser("add", help="have an address told what happens")
    added.add_argument("address", metavar="URL")
    added.add_argument(
        "--event", action="append", dest="events", metavar="EVENT", help=f"of {', '.join(EVENTS)}"
    )
    added.add_argument("--all", action="store_true", help="of all surveys of this account")
    takes_secret_file(added, "webhook-secret.txt")
    takes_survey(added)
    added.set_defaults(run=add)
    _numbered(kinds, "deliveries", "list what it was told, and how that ended", deliveries)
    _numbered(kinds, "enable", "tell it again what happens from now on", enable)
    deleted = _numbered(kinds, "delete", "delete it, with what it was told", delete)
    deleted.add_argument("--yes", action="store_true", help="without asking")


def _numbered(
    kinds: "_SubParsersAction[ArgumentParser]",
    name: str,
    words: str,
    run: Callable[[Namespace], None],
) -> ArgumentParser:
    parser = kinds.add_parser(name, help=words)
    parser.add_argument("number", type=int)
    parser.set_defaults(run=run)
    return parser


def list_all(given: Namespace) -> None:
    with site_of(given) as site:
        webhooks = list(site.webhooks())
    show(given, webhooks, "\n".join(map(_webhook, webhooks)) or "There are no webhooks yet.")


def _webhook(webhook: Webhook) -> str:
    about = "all surveys" if webhook.survey is None else f"survey {webhook.survey}"
    off = f"; off since {webhook.disabled_at:%Y-%m-%d}" if webhook.disabled_at else ""
    return f"{webhook.id:>4}  {webhook.url}: {', '.join(webhook.events)} of {about}{off}"


def add(given: Namespace) -> None:
    with site_of(given) as site:
        survey = None if given.all else survey_of(given, site).id
        with secret_file(given.output) as file:
            made = site.make_webhook(given.address, given.events or EVENTS, survey=survey)
            file.write(f"{made.secret}\n")
    if given.output == "-":
        tell(_webhook(made.webhook))
    else:
        show(given, made.webhook, f"{_webhook(made.webhook)}\nIts secret is in {given.output}.")


def deliveries(given: Namespace) -> None:
    with site_of(given) as site:
        messages = list(site.deliveries(given.number))
    show(given, messages, "\n".join(map(_delivery, messages)) or "It was told nothing yet.")


def _delivery(delivery: Delivery) -> str:
    if delivery.delivered_at:
        end = f"delivered {delivery.delivered_at:%Y-%m-%d %H:%M}"
    elif delivery.due_at:
        end = f"again {delivery.due_at:%Y-%m-%d %H:%M}: {delivery.failure}".rstrip(": ")
    else:
        end = f"given up: {delivery.failure}".rstrip(": ")
    return f"{delivery.made_at:%Y-%m-%d %H:%M}  {delivery.event}, {delivery.attempts} sent, {end}"


def enable(given: Namespace) -> None:
    with site_of(given) as site:
        webhook = site.enable_webhook(given.number)
    show(given, webhook, _webhook(webhook))


def delete(given: Namespace) -> None:
    with site_of(given) as site:
        webhook = site.webhook(given.number)
        if not agrees(f"Delete the webhook to {webhook.url}?", yes=given.yes):
            raise CandorError("Nothing was deleted: confirm it with --yes.")
        site.delete_webhook(webhook.id)
    say(f"Deleted: {webhook.url}")
