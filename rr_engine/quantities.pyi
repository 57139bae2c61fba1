from rr_engine.library.quantitative.design import ScrambledDesign as ScrambledDesign
from rr_engine.library.quantitative.linear import LinearScrambling as LinearScrambling
from rr_engine.library.quantitative.named import (
    BarLev as BarLev,
    ChaudhuriChristofides as ChaudhuriChristofides,
    DianaPerri1 as DianaPerri1,
    DianaPerri2 as DianaPerri2,
    EichhornHayre as EichhornHayre,
    Eriksson as Eriksson,
    Saha as Saha,
)
from rr_engine.library.quantitative.scrambled_privacy import ScramblingPrivacy as ScramblingPrivacy
from rr_engine.library.quantitative.scrambling import Scrambling as Scrambling
from rr_engine.library.quantitative.two_cards import (
    TwoCards as TwoCards,
    TwoCardShares as TwoCardShares,
    estimate_two_cards as estimate_two_cards,
)
from rr_engine.library.quantitative.worth import equivalent_direct_n as equivalent_direct_n
