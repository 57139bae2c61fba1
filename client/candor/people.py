"""Members of a survey by personal link, and the texts of its further languages."""

from collections.abc import Iterable, Sequence

from candor.connection import Connection, Which, of
from candor.documents import (
    Languages,
    Link,
    LinksMade,
    MemberRow,
    Roster,
    RosterStored,
    Texts,
    Translation,
)


class People(Connection):
    """Rosters and personal links."""

    def members(self, survey: Which) -> Roster:
        """The roster: who may answer, and how many have; who has answered is told to nobody."""
        return self._get(of(survey, "members"), Roster)

    def replace_members(self, survey: Which, members: Iterable[MemberRow]) -> RosterStored:
        """Replace the roster of a draft; none removes it."""
        rows = [{"code": each.code, "name": each.name, "group": each.group} for each in members]
        return self._put(of(survey, "members"), {"members": rows}, RosterStored)

    def delete_names(self, survey: Which) -> None:
        """Delete the names of a closed survey's roster."""
        self._delete(of(survey, "members", "names"))

    def make_links(self, survey: Which, codes: Sequence[str] | None = None) -> tuple[Link, ...]:
        """Make personal links, which are told once; older ones of the same members are void.

        `codes`: of whom; by default of everybody who has not answered. Whoever has a link answers
        in its member's place: keep them as you keep passwords.
        """
        return self._post(of(survey, "links"), {"codes": codes}, LinksMade).items

    def revoke_link(self, survey: Which, code: str) -> None:
        """Revoke the personal link of a member."""
        self._delete(of(survey, "links", code))


class Translations(Connection):
    """Further languages of a survey."""

    def languages(self, survey: Which) -> Languages:
        """The further languages, and how many texts of each are missing or stale."""
        return self._get(of(survey, "languages"), Languages)

    def texts(self, survey: Which, language: str) -> Texts:
        """The texts of a language beside their sources."""
        return self._get(of(survey, "languages", language), Texts)

    def store_texts(self, survey: Which, language: str, texts: Iterable[Translation]) -> Texts:
        """Store some or all texts of a draft.

        Of a launched survey all texts are needed, and publish the language.
        """
        rows = [{"path": each.path, "source": each.source, "text": each.text} for each in texts]
        return self._put(of(survey, "languages", language), {"texts": rows}, Texts)

    def delete_language(self, survey: Which, language: str) -> None:
        """Take a language away from a draft, with its texts."""
        self._delete(of(survey, "languages", language))
