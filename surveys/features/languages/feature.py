"""Languages, as the object that the rooms find in the registry."""

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.languages.author import LanguagesForAuthors
from surveys.features.languages.demo import QuestionnaireDemo
from surveys.features.languages.desk import LanguagesAtDesk
from surveys.features.languages.programs_part import LanguagesForPrograms
from surveys.features.languages.settings import NAME, Translations
from surveys.features.parts import SettingsInDefinition

LANGUAGES = Feature(
    name=NAME,
    words=("features languages",),
    label=_("Several languages"),
    purpose=_("Translate the survey, and let respondents change the language at any time."),
    removal=_("take the further languages away"),
    author=LanguagesForAuthors(),
    desk=LanguagesAtDesk(),
    programs=LanguagesForPrograms(),
    demo=QuestionnaireDemo(),
    definition=SettingsInDefinition(NAME, survey=Translations, question=Translations),
)
