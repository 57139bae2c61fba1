"""The frozen parameters of a launch: the one room that knows how the document is written."""

from surveys.parameters.analyses import (
    Analysis,
    Predictor,
    analyses_of_json,
    has_scores,
    is_listed,
)
from surveys.parameters.canonical import canonical_json, digest_of_json
from surveys.parameters.chance_strata import (
    EVERYBODY,
    in_stratum,
    is_asked_directly,
    keys_asked_directly,
    strata_of_chance,
    strata_of_devices,
)
from surveys.parameters.degradations import Degradation, Listed, Mixed, Same
from surveys.parameters.document import (
    BITS,
    BOXES,
    CARDS,
    CODES,
    FILTERS,
    FORMAT,
    MEMBERS,
    NUMBER,
    OPEN,
    PAGE,
    TEXT,
    TIES,
    Device,
    Parameters,
    Question,
    Search,
    document_types,
    is_drawn,
)
from surveys.parameters.earlier import Earlier
from surveys.parameters.groups import (
    group_id,
    groups_of,
    is_group,
    is_picked,
    joint_of,
    parts_of,
    parts_of_all,
    picked_of,
    picked_questions,
    with_parts,
)
from surveys.parameters.members import Members
from surveys.parameters.reading import (
    ParametersError,
    ServedParameters,
    digest_of,
    from_json,
    read,
    to_json,
)
from surveys.parameters.rules import check, check_device, to_freeze
from surveys.parameters.scale import Scale, scale_of_json
from surveys.parameters.steps import at_step, report_at_step
from surveys.parameters.tables import (
    Bits,
    Bloom,
    Chain,
    Dense,
    Joint,
    Linear,
    Product,
    Table,
    Ties,
    Uniform,
    coded,
    columns_of,
    names_of,
)
from surveys.parameters.weighting import Margin, Weighting, weighting_of_json
