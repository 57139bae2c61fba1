/** Features that do not go together; `make generated` writes it from their traits. */

export const CLASHES = [
  ["control_items", "pilots"],
  ["arms", "tiers"],
  ["arms", "return_codes"],
  ["arms", "roster"],
  ["arms", "pilots"],
  ["arms", "physical_randomizers"],
  ["tiers", "return_codes"],
  ["tiers", "roster"],
  ["tiers", "groups"],
  ["tiers", "pilots"],
  ["tiers", "physical_randomizers"],
  ["return_codes", "pilots"],
  ["return_codes", "physical_randomizers"],
  ["roster", "pilots"],
  ["roster", "physical_randomizers"],
  ["groups", "pilots"],
  ["pilots", "analyses"],
  ["pilots", "physical_randomizers"],
];
