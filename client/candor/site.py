"""A Candor site, as an account sees it through one of its tokens."""

from candor.downloads import Downloads
from candor.hooks import Webhooks
from candor.models import Models
from candor.people import People, Translations
from candor.studies import Studies


class Candor(Studies, Downloads, Models, People, Translations, Webhooks):
    """A site, by its address and a token that was made on its page *Tokens*.

    Whatever is asked for twice because an answer was lost is done once. Every method raises
    SiteError where the site refuses, and UnreachableError where it does not answer.
    """
