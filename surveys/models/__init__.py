"""The models of Candor, one file each."""

from surveys.models.analysis import AnalysisFit, WeightedShares
from surveys.models.api_token import ApiToken, StoredAnswer
from surveys.models.candidates import Candidates
from surveys.models.co_author import CoAuthor
from surveys.models.comment import Comment
from surveys.models.job import Job
from surveys.models.launch import Launch
from surveys.models.question import Question
from surveys.models.release_file import ReleaseFile
from surveys.models.removed_question import RemovedQuestion
from surveys.models.result import DrawnFigures, Result
from surveys.models.review_link import ReviewLink
from surveys.models.revision import Revision
from surveys.models.row_download import RowDownload
from surveys.models.search import DesignSearch
from surveys.models.submission import DroppedReceipts, Receipt, ReportSet, Submission
from surveys.models.survey import Survey
from surveys.models.tally import Tally
from surveys.models.transition import Transition
from surveys.models.webhook import Webhook, WebhookDelivery

__all__ = [
    "AnalysisFit",
    "ApiToken",
    "Candidates",
    "CoAuthor",
    "Comment",
    "DesignSearch",
    "DrawnFigures",
    "DroppedReceipts",
    "Job",
    "Launch",
    "Question",
    "Receipt",
    "ReleaseFile",
    "RemovedQuestion",
    "ReportSet",
    "Result",
    "ReviewLink",
    "Revision",
    "RowDownload",
    "StoredAnswer",
    "Submission",
    "Survey",
    "Tally",
    "Transition",
    "Webhook",
    "WebhookDelivery",
    "WeightedShares",
]
