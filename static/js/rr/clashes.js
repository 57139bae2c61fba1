/** Features that do not go together; `make generated` writes it from their traits. */

export const CLASHES = [
  ["control_items", "pilots"],
  ["arms", "tiers"],
  ["arms", "return_codes"],
  ["arms", "personal_links"],
  ["arms", "pilots"],
  ["arms", "physical_randomizers"],
  ["tiers", "return_codes"],
  ["tiers", "personal_links"],
  ["tiers", "groups"],
  ["tiers", "pilots"],
  ["tiers", "physical_randomizers"],
  ["return_codes", "pilots"],
  ["return_codes", "physical_randomizers"],
  ["personal_links", "pilots"],
  ["personal_links", "physical_randomizers"],
  ["groups", "pilots"],
  ["pilots", "analyses"],
  ["pilots", "physical_randomizers"],
];
