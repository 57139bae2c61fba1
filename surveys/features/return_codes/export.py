"""What the file of reports says of people who come back."""

from django.utils.translation import gettext as _

from surveys.exports.table import Column, Type
from surveys.features.parts import ResultsPart


class ReturnCodesInResults(ResultsPart):
    def sender_columns(self) -> list[Column]:
        return [
            Column("wave", Type.INTEGER, _("The last wave that this person answered")),
            Column("epsilon", Type.NUMBER, _("What all their waves together may reveal")),
        ]
