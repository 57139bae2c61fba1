/** Features that do not go together; `make generated` writes it from their traits. */

export const CLASHES = [
  ["tiers", "return_codes"],
  ["tiers", "roster"],
  ["tiers", "groups"],
  ["tiers", "pilots"],
  ["tiers", "arms"],
  ["tiers", "physical_randomizers"],
  ["return_codes", "pilots"],
  ["return_codes", "arms"],
  ["return_codes", "physical_randomizers"],
  ["return_codes", "shared_device"],
  ["roster", "pilots"],
  ["roster", "arms"],
  ["roster", "physical_randomizers"],
  ["roster", "shared_device"],
  ["groups", "pilots"],
  ["pilots", "analyses"],
  ["pilots", "control_items"],
  ["pilots", "arms"],
  ["pilots", "physical_randomizers"],
  ["arms", "physical_randomizers"],
];
