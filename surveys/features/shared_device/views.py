"""What respondents read of shared devices, and what their page needs for it."""

from django.http import QueryDict

from surveys.features.parts import PagePart
from surveys.features.shared_device.section import frozen_sharing
from surveys.models import Survey
from surveys.parameters import Parameters
from surveys.views.parts import Shown

FOLDER = "features/shared_device"


class SharedDeviceOnPage(PagePart):
    texts = True

    def shown(
        self, parameters: Parameters, survey: Survey, preview: QueryDict | None
    ) -> Shown | None:
        sharing = frozen_sharing(parameters)
        if sharing is None:
            return None
        places = ("welcome", "once" if sharing.always else "keeps")
        slots = {place: f"{FOLDER}/{place}.html" for place in places}
        # The screens are one entry of the history, which the page of the next person replaces.
        return Shown(slots, sharing, data={"single": "true"})
