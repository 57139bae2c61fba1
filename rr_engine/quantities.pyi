from rr_engine.library.quantitative.design import ScrambledDesign as ScrambledDesign
from rr_engine.library.quantitative.linear import LinearScrambling as LinearScrambling
from rr_engine.library.quantitative.named import (
    BarLev as BarLev,
)
from rr_engine.library.quantitative.named import (
    ChaudhuriChristofides as ChaudhuriChristofides,
)
from rr_engine.library.quantitative.named import (
    DianaPerri1 as DianaPerri1,
)
from rr_engine.library.quantitative.named import (
    DianaPerri2 as DianaPerri2,
)
from rr_engine.library.quantitative.named import (
    EichhornHayre as EichhornHayre,
)
from rr_engine.library.quantitative.named import (
    Eriksson as Eriksson,
)
from rr_engine.library.quantitative.named import (
    Saha as Saha,
)
from rr_engine.library.quantitative.scrambled_privacy import ScramblingPrivacy as ScramblingPrivacy
from rr_engine.library.quantitative.scrambling import Scrambling as Scrambling
from rr_engine.library.quantitative.two_cards import (
    TwoCards as TwoCards,
)
from rr_engine.library.quantitative.two_cards import (
    TwoCardShares as TwoCardShares,
)
from rr_engine.library.quantitative.two_cards import (
    estimate_two_cards as estimate_two_cards,
)
from rr_engine.library.quantitative.worth import equivalent_direct_n as equivalent_direct_n
