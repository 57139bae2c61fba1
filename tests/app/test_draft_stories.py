"""Two pages of one draft: whatever happens, nothing typed is lost, or replaced unseen.

Each story is drawn by its seed. A page knows what it has shown; a text that it sends supersedes the
one that it had shown, and no other: every other text must still be stored, or be a version from
which somebody chooses, or be kept with a removed question.
"""

import random
from dataclasses import dataclass, field

import pytest

from surveys.authoring.draft_merge import prints_of
from surveys.exceptions import NotReadyError, WrongStateError
from surveys.forms.edited_question import question_sheet
from surveys.forms.sheets import STORED, stored_others
from surveys.services.editing import (
    RemovedMeanwhileError,
    choose_version,
    duplicate_question,
    move_question,
    put_back,
    remove_question,
    save_question,
)
from surveys.services.launches import launch_survey
from tests.builders import make_survey
from tests.thorough import examples

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.any_database]

STORIES, PARTS = examples(80, 400), 4
# Texts, one that is often wrong, and a number that is wrong where it is not one.
FIELDS = ("text", "help_text", "options", "epsilon_reason", "epsilon", "name")
STEPS = 7


@dataclass
class Page:
    """One page of one question: what it has shown, and what is typed and not sent yet."""

    who: str
    shown: dict[str, tuple[str, ...]] = field(default_factory=dict)
    typed: dict[str, tuple[str, ...]] = field(default_factory=dict)


class Story:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.survey = make_survey(
            slug=f"story-{seed}",
            questions=[
                {"text": "First?", "kind": "single_choice", "options": ["A", "B"]},
                {"text": "Second?"},
            ],
        )
        self.keys = list(self.survey.questions.values_list("pk", flat=True))
        self.pages = {(who, key): Page(who) for who in "ab" for key in self.keys}
        # By question and field, the texts that nobody has superseded.
        self.alive = {(key, name): set[str]() for key in self.keys for name in FIELDS}
        self.count, self.launched = 0, False
        for key in self.keys:
            for who in "ab":
                self.load(who, key)

    def sheet(self, key: int):
        question = self.survey.questions.filter(pk=key).first()
        return question and question_sheet(question)

    def load(self, who: str, key: int) -> None:
        """Reload a page; what it had typed and not sent is asked about by the browser first."""
        sheet = self.sheet(key)
        page = self.pages[who, key]
        if sheet is not None and not page.typed:
            page.shown = dict(sheet.texts())

    def type(self, who: str, key: int) -> None:
        name = self.random.choice(FIELDS)
        self.count += 1
        text = f"typed {self.count}"
        if name == "epsilon" and self.random.random() < 0.5:
            text = f"0.{self.count:03}"
        if name == "name" and self.random.random() < 0.5:
            text = f"name_{self.count}"
        if name == "options" and self.random.random() < 0.5:
            text = f"Yes {self.count}\nNo {self.count}"
        self.pages[who, key].typed[name] = (text,)

    def save(self, who: str, key: int, *, answer_lost: bool = False) -> None:
        page = self.pages[who, key]
        if not page.typed:
            return
        posted = {**{name: page.shown[name] for name in page.shown}, **page.typed}
        try:
            saved = save_question(
                survey=self.survey,
                question_id=key,
                posted=posted,
                loaded=prints_of(page.shown),
                by=who,
            )
        except WrongStateError:
            assert self.launched
            return
        except RemovedMeanwhileError as error:
            stored = error.removed.content["fields"]["typed"]["texts"]
            for name, texts in page.typed.items():
                assert tuple(stored[name]) == texts
            return
        for name, texts in page.typed.items():
            self.alive[key, name].discard(_text(page.shown[name]))
            self.alive[key, name].add(_text(texts))
        if answer_lost:
            return
        page.typed = {}
        page.shown = dict(question_sheet(saved.form.instance).texts())

    def choose(self, key: int) -> None:
        sheet = self.sheet(key)
        others = stored_others(sheet.holder) if sheet else {}
        if not others or self.launched:
            return
        name = self.random.choice(sorted(others))
        choice = self.random.choice([STORED, *map(str, range(len(others[name])))])
        texts = sheet.texts()[name] if choice == STORED else others[name][int(choice)]["texts"]
        choose_version(survey=self.survey, question_id=key, field=name, choice=choice)
        if name in FIELDS:
            self.alive[key, name] = {_text(texts)}

    def rearrange(self, key: int) -> None:
        if self.launched:
            return
        what = self.random.choice(["move", "remove", "put back", "copy"])
        if what == "put back":
            removed = self.survey.removed_questions.first()
            if removed is not None:
                put_back(survey=self.survey, removed_id=removed.pk)
            return
        if not self.survey.questions.filter(pk=key).exists():
            return
        if what == "move":
            others = self.survey.questions.exclude(pk=key).values_list("pk", flat=True)
            after = self.random.choice([None, *others])
            move_question(survey=self.survey, question_id=key, after=after)
        elif what == "copy":
            duplicate_question(survey=self.survey, question_id=key)
        else:
            remove_question(survey=self.survey, question_id=key)

    def launch(self) -> None:
        try:
            launch_survey(survey=self.survey, actor=None)
        except (NotReadyError, WrongStateError):
            # Something of it is not right.
            return
        self.launched = True

    def step(self) -> None:
        who, key = self.random.choice("ab"), self.random.choice(self.keys)
        what = self.random.choices(
            ["type", "save", "lost", "load", "choose", "rearrange", "launch"],
            [40, 30, 6, 8, 6, 9, 1],
        )[0]
        if what == "type":
            self.type(who, key)
        elif what in ("save", "lost"):
            self.save(who, key, answer_lost=what == "lost")
        elif what == "load":
            self.load(who, key)
        elif what == "choose":
            self.choose(key)
        elif what == "rearrange":
            self.rearrange(key)
        else:
            self.launch()
        if what != "type":
            self.check(key)

    def check(self, key: int) -> None:
        sheet = self.sheet(key)
        if sheet is None:
            assert self.survey.removed_questions.filter(content__pk=key).exists()
            return
        texts, others = sheet.texts(), stored_others(sheet.holder)
        for name in FIELDS:
            there = {_text(texts[name])}
            there |= {_text(each["texts"]) for each in others.get(name, [])}
            missing = self.alive[key, name] - there
            assert not missing, (key, name, missing, there)

    def check_order(self) -> None:
        positions = list(self.survey.questions.values_list("position", flat=True))
        assert positions == list(range(1, len(positions) + 1))


def _text(texts) -> str:
    """A text without what forms change of it."""
    return " ".join(" ".join(texts).split())


@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_typed_is_lost(part):
    for seed in range(part, STORIES, PARTS):
        story = Story(seed)
        for _step in range(STEPS):
            story.step()
        for who, key in story.pages:
            story.save(who, key)
            story.check(key)
        story.check_order()
