"""Downloads of reports by named people: each is written down, and its author sees them."""

from django.contrib.auth.models import User

from surveys.models import RowDownload
from surveys.results.release import Release


def record_download(*, release: Release, user: User, file: str) -> None:
    """Write down who downloads a file of rows of this release; nothing is about respondents."""
    RowDownload.objects.create(
        survey=release.launch.survey,
        user=user,
        name=user.get_username(),
        file=file,
        step=release.step,
        responses=release.responses,
    )
