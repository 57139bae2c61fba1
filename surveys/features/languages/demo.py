"""The demonstration of a whole questionnaire: sections, skips, a battery, in two languages."""

import secrets
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt
from django.contrib.auth.models import User

from surveys.authoring.draft_parameters import draft_parameters, questions_of
from surveys.authoring.planning.simulation import (
    ConditionalTruth,
    SimulatedRespondents,
    simulated_respondents,
    simulated_responses,
)
from surveys.features.languages.changes import add_language, write_texts
from surveys.features.languages.reading import rows_of
from surveys.features.languages.settings import Translated
from surveys.features.parts import DemoPart, Filling
from surveys.models import Launch, Question, Survey
from surveys.services.launches import launch_survey

SLUG = "exams"

HELP = "A real survey names people here with whom students can talk, and when."
SURVEY: dict[str, Any] = {
    "slug": SLUG,
    "title": "Exams and honesty",
    "introduction": (
        "A demonstration of a whole questionnaire: sections, questions for some people only, and "
        "items in an order that chance picks, in English and in German. Its first 1,500 "
        "respondents are simulated, so that the results can show the truth beside the estimate."
    ),
    "consent": "Taking part is voluntary. You can stop at any time before you send.",
    "contact": "This is a demonstration on your own machine; nobody else receives anything.",
    "budget": Decimal(5),
    "planned_n": 2000,
    "linkage": Survey.Linkage.TOGETHER,
    "release_batch": 5,
    "results_public": True,
    "features": {
        "tables": {"pairs": [["cheated", "faculty"]]},
        "support": {"text": HELP},
    },
}
FACULTIES = ["Humanities", "Science", "Medicine", "Law"]
ITEMS = (
    ("copied", "Copied from somebody beside you"),
    ("notes", "Used notes or a phone that were not allowed"),
    ("written", "Handed in what somebody else, or a program, had written"),
)
BATTERY = "Which of these have you done at university?"


def _scrambled(name: str, text: str, epsilon: str, **values: Any) -> dict[str, Any]:
    return {"name": name, "text": text, "epsilon": Decimal(epsilon), **values}


def _item(number: int, name: str, text: str) -> dict[str, Any]:
    first = {"text": BATTERY, "random": True} if not number else {}
    section = {"sections": {"title": "In detail"}} if not number else {}
    features = {"batteries": {"number": 1, **first}, **section}
    return _scrambled(name, text, "0.6", features=features)


QUESTIONS: list[dict[str, Any]] = [
    {
        "name": "faculty",
        "kind": "single_choice",
        "text": "What do you study?",
        "options": FACULTIES,
        "randomized": False,
        "features": {"sections": {"title": "About you", "together": True}},
    },
    {"name": "job", "text": "Do you have a paid job beside your studies?", "randomized": False},
    {
        "name": "hours",
        "kind": "single_choice",
        "text": "How many hours a week is that?",
        "options": ["5 or fewer", "6 to 10", "More than 10"],
        "randomized": False,
        "features": {"filters": {"only_if": "job = Yes", "unasked": True}},
    },
    _scrambled(
        "cheated",
        "In the past 12 months, have you cheated in an exam, or in a paper that you handed in?",
        "1.1",
        prefer_not=True,
        required=False,
        features={
            "sections": {
                "title": "Exams",
                "text": "Your device scrambles each of these answers before it is sent.",
            }
        },
    ),
    _scrambled(
        "repeated",
        "Was that more than once?",
        "1.1",
        features={"filters": {"only_if": "cheated = Yes"}},
    ),
    _scrambled(
        "found_out",
        "Has any of these times been found out?",
        "0.8",
        features={"filters": {"only_if": "repeated = Yes"}, "support": {"after_section": True}},
    ),
    *(_item(number, *item) for number, item in enumerate(ITEMS)),
    {
        "name": "most",
        "text": "Do most people who study with you cheat at least once?",
        "randomized": False,
        "features": {"sections": {"title": "What you think", "together": True, "random": True}},
    },
    {
        "name": "expelled",
        "text": "Should somebody who cheats for a second time have to leave?",
        "randomized": False,
    },
]

# By the English text. What is missing here is in Candor's own words.
GERMAN = {
    SURVEY["title"]: "Prüfungen und Ehrlichkeit",
    SURVEY["introduction"]: (
        "Eine Vorführung eines ganzen Fragebogens: Abschnitte, Fragen nur an manche, und Punkte in "
        "zufälliger Reihenfolge, auf Englisch und auf Deutsch. Die ersten 1.500 Antworten sind "
        "simuliert, damit die Ergebnisse die Wahrheit neben der Schätzung zeigen können."
    ),
    SURVEY["consent"]: (
        "Die Teilnahme ist freiwillig. Bevor Sie senden, können Sie jederzeit aufhören."
    ),
    SURVEY["contact"]: (
        "Das ist eine Vorführung auf Ihrem eigenen Rechner; sonst erhält niemand etwas."
    ),
    HELP: "Eine echte Befragung nennt hier, mit wem Studierende sprechen können, und wann.",
    "About you": "Über Sie",
    "What do you study?": "Was studieren Sie?",
    "Humanities": "Geisteswissenschaften",
    "Science": "Naturwissenschaften",
    "Medicine": "Medizin",
    "Law": "Rechtswissenschaft",
    "Do you have a paid job beside your studies?": "Arbeiten Sie neben dem Studium gegen Geld?",
    "How many hours a week is that?": "Wie viele Stunden in der Woche sind das?",
    "5 or fewer": "Höchstens 5",
    "6 to 10": "6 bis 10",
    "More than 10": "Mehr als 10",
    "Exams": "Prüfungen",
    "Your device scrambles each of these answers before it is sent.": (
        "Ihr Gerät verwürfelt jede dieser Antworten, bevor sie gesendet wird."
    ),
    "In the past 12 months, have you cheated in an exam, or in a paper that you handed in?": (
        "Haben Sie in den letzten 12 Monaten in einer Prüfung oder in einer Arbeit, die Sie "
        "abgegeben haben, getäuscht?"
    ),
    "Was that more than once?": "War das mehr als einmal?",
    "Has any of these times been found out?": "Ist eines dieser Male aufgefallen?",
    "In detail": "Im Einzelnen",
    BATTERY: "Was davon haben Sie an der Universität getan?",
    "Copied from somebody beside you": "Beim Nachbarn abgeschrieben",
    "Used notes or a phone that were not allowed": (
        "Notizen oder ein Telefon benutzt, die nicht erlaubt waren"
    ),
    "Handed in what somebody else, or a program, had written": (
        "Abgegeben, was jemand anderes oder ein Programm geschrieben hatte"
    ),
    "What you think": "Was Sie meinen",
    "Do most people who study with you cheat at least once?": (
        "Täuschen die meisten, die mit Ihnen studieren, mindestens einmal?"
    ),
    "Should somebody who cheats for a second time have to leave?": (
        "Sollte, wer ein zweites Mal täuscht, die Universität verlassen müssen?"
    ),
}

# --- the truth

OF_FACULTIES = [0.34, 0.31, 0.14, 0.21]
# Of each faculty: how many have cheated. Besides, of all of them, how many would rather not say.
CHEATED, RATHER_NOT = [0.18, 0.27, 0.33, 0.22], 0.06
REPEATED, FOUND_OUT = 0.45, 0.2
# Of those who have not cheated by their own account, of those who have, and of those who rather do
# not say: how many have done what an item says.
DONE = {"copied": (0.04, 0.61, 0.3), "notes": (0.02, 0.38, 0.2), "written": (0.07, 0.3, 0.25)}
# No, yes, and not asked.
NOT_ASKED = [0.0, 0.0, 1.0]


def _yes(share: float) -> list[float]:
    return [1 - share, share]


# By question: the shares of its categories, in a row for each answer to an earlier question.
GIVEN: dict[str, tuple[str, npt.NDArray[np.float64]]] = {
    "cheated": ("faculty", np.array([[1 - RATHER_NOT - x, x, RATHER_NOT] for x in CHEATED])),
    "repeated": ("cheated", np.array([NOT_ASKED, [*_yes(REPEATED), 0.0], NOT_ASKED])),
    "found_out": ("repeated", np.array([NOT_ASKED, [*_yes(FOUND_OUT), 0.0], NOT_ASKED])),
    **{name: ("cheated", np.array([_yes(share) for share in DONE[name]])) for name in DONE},
}
CONDITIONAL_TRUTHS = {
    name: ConditionalTruth((earlier,), shares) for name, (earlier, shares) in GIVEN.items()
}


def simulated_truth() -> dict[str, list[float]]:
    """The shares of all categories, by question: what the chances above come to."""
    shares = {
        "faculty": np.array(OF_FACULTIES),
        "job": np.array(_yes(0.58)),
        "hours": np.array([0.24, 0.39, 0.37]),
        "most": np.array(_yes(0.41)),
        "expelled": np.array(_yes(0.26)),
    }
    for name, (earlier, given) in GIVEN.items():
        shares[name] = shares[earlier] @ given
    return {name: np.round(each, 6).tolist() for name, each in shares.items()}


# --- the survey -----------------------------------------------------------------------------------


def launch_questionnaire(*, owner: User) -> Launch:
    survey = Survey.objects.create(**SURVEY, owner=owner, simulated_truth=simulated_truth())
    for position, question in enumerate(QUESTIONS, start=1):
        Question.objects.create(survey=survey, position=position, **question)
    _translate(survey)
    return launch_survey(survey=survey, actor=owner)


def _translate(survey: Survey) -> None:
    add_language(survey=survey, language="de")
    survey.refresh_from_db()
    questions = questions_of(survey)
    parameters = draft_parameters(survey=survey, questions=questions)
    rows = rows_of(survey, questions, parameters, "de")
    texts = {
        row.path: Translated(GERMAN[row.source], row.source) for row in rows if row.source in GERMAN
    }
    write_texts(survey=survey, parameters=parameters, language="de", texts=texts)
    survey.refresh_from_db()


def questionnaire_launch() -> Launch | None:
    """The launch of this demo, while it is still the demo and still open."""
    survey = Survey.objects.accepting_responses().filter(slug=SLUG).first()
    return survey.current_launch() if survey is not None and survey.simulated_truth else None


def respondents_of(launch: Launch, count: int, *, seed: int) -> SimulatedRespondents:
    """Respondents with the truths of the demo: whom a question is not for says so."""
    truth = simulated_truth()
    return simulated_respondents(
        launch.parameters, truth, count, seed, conditional_truths=CONDITIONAL_TRUTHS
    )


class QuestionnaireDemo(DemoPart):
    def launch(self, owner: User) -> None:
        launch_questionnaire(owner=owner)

    def fill(self, filling: Filling) -> None:
        launch = questionnaire_launch()
        count = filling.respondents - launch.receipts.count() if launch else 0
        if launch is None or count <= 0:
            return
        people = respondents_of(launch, count, seed=secrets.randbits(32))
        filling.say(f"Sending {count} simulated responses to the demo of a questionnaire ...")
        filling.send(launch, simulated_responses(launch.parameters, people), [{}] * count)

    def lines(self, url: str, filling: Filling) -> list[str]:
        if not Survey.objects.filter(slug=SLUG).exclude(state=Survey.State.DRAFT).exists():
            return []
        address = f"{url}/s/{SLUG}/"
        return [f"  questionnaire {address}", f"  its results   {address}results/"]
