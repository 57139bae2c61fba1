"""The features that authors can use, in the order in which pages and documents name them."""

from surveys.features.analyses.feature import ANALYSES
from surveys.features.arms.feature import ARMS
from surveys.features.batteries.feature import BATTERIES
from surveys.features.closing_page.feature import CLOSING_PAGE
from surveys.features.control_items.feature import CONTROL_ITEMS
from surveys.features.data_licence.feature import DATA_LICENCE
from surveys.features.date_parts.feature import DATE_PARTS
from surveys.features.feature import FEATURES
from surveys.features.filters.feature import FILTERS
from surveys.features.free_texts.feature import FREE_TEXTS
from surveys.features.groups.feature import GROUPS
from surveys.features.languages.feature import LANGUAGES
from surveys.features.link_values.feature import LINK_VALUES
from surveys.features.option_orders.feature import OPTION_ORDERS
from surveys.features.physical_randomizers.feature import PHYSICAL_RANDOMIZERS
from surveys.features.pilots.feature import PILOTS
from surveys.features.piping.feature import PIPING
from surveys.features.privacy_notice.feature import PRIVACY_NOTICE
from surveys.features.quotas.feature import QUOTAS
from surveys.features.return_codes.feature import RETURN_CODES
from surveys.features.roster.feature import ROSTER
from surveys.features.sections.feature import SECTIONS
from surveys.features.shared_device.feature import SHARED_DEVICE
from surveys.features.support.feature import SUPPORT
from surveys.features.tables.feature import TABLES
from surveys.features.tiers.feature import TIERS

for feature in (
    TABLES,
    TIERS,
    RETURN_CODES,
    ROSTER,
    GROUPS,
    PILOTS,
    ANALYSES,
    CONTROL_ITEMS,
    ARMS,
    PHYSICAL_RANDOMIZERS,
    SUPPORT,
    PRIVACY_NOTICE,
    SHARED_DEVICE,
    FILTERS,
    DATE_PARTS,
    SECTIONS,
    PIPING,
    LINK_VALUES,
    BATTERIES,
    QUOTAS,
    CLOSING_PAGE,
    OPTION_ORDERS,
    FREE_TEXTS,
    DATA_LICENCE,
    LANGUAGES,
):
    FEATURES.add(feature)
