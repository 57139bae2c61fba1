"""The texts about the site, as the object that the rooms find in the registry."""

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.parts import SettingsInDefinition
from surveys.features.privacy_notice.author import NoticeForAuthors
from surveys.features.privacy_notice.desk import NoticeAtDesk
from surveys.features.privacy_notice.section import NAME, NoticeInDocument
from surveys.features.privacy_notice.settings import NoticeSettings
from surveys.features.privacy_notice.views import NoticeOnPage

PRIVACY_NOTICE = Feature(
    name=NAME,
    words=("privacy notice", "site notice"),
    label=_("Who asks"),
    purpose=_(
        "Say for this survey who runs the site, by which law, and how long answers are kept, where "
        "it differs from what the site says."
    ),
    removal=_("remove the texts under “Who asks”"),
    document=NoticeInDocument(),
    author=NoticeForAuthors(),
    desk=NoticeAtDesk(),
    definition=SettingsInDefinition(NAME, survey=NoticeSettings),
    page=NoticeOnPage(),
)
