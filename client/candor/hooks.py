"""Webhooks: addresses that are told what happens, and what they were told."""

from collections.abc import Iterator, Sequence

from candor.connection import Connection
from candor.documents import Delivery, Webhook, WebhookMade


class Webhooks(Connection):
    """The webhooks of the token's account."""

    def webhooks(self) -> Iterator[Webhook]:
        """Yield the webhooks, the newest first."""
        yield from self._listed("/webhooks", Webhook)

    def webhook(self, number: int) -> Webhook:
        """A webhook by its number."""
        return self._get(f"/webhooks/{number}", Webhook)

    def make_webhook(
        self, url: str, events: Sequence[str], *, survey: int | None = None
    ) -> WebhookMade:
        """Have an address told what happens: to one survey, by its number, or to all.

        The secret by which its messages are signed is told once.
        """
        order = {"url": url, "events": events, "survey": survey}
        return self._post("/webhooks", order, WebhookMade)

    def enable_webhook(self, number: int) -> Webhook:
        """Tell a webhook again what happens from now on."""
        return self._post(f"/webhooks/{number}/enable", None, Webhook)

    def delete_webhook(self, number: int) -> None:
        """Delete a webhook, with what it was told."""
        self._delete(f"/webhooks/{number}")

    def deliveries(self, number: int) -> Iterator[Delivery]:
        """Yield what a webhook was told, and how that ended, the newest first."""
        yield from self._listed(f"/webhooks/{number}/deliveries", Delivery)
