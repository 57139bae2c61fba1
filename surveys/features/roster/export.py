"""What the file of reports says of members of a roster."""

from django.utils.translation import gettext as _

from surveys.exports.table import Column, Type
from surveys.features.parts import ResultsPart


class MembersInResults(ResultsPart):
    def sender_columns(self) -> list[Column]:
        return [Column("member", Type.TEXT, _("Code of the member on the roster"))]
