/** Features that do not go together; `make generated` writes it from their traits. */

export const CLASHES = {
  tiers: "return_codes roster groups pilots arms physical_randomizers free_texts",
  return_codes: "pilots arms physical_randomizers shared_device quotas free_texts",
  roster: "pilots arms physical_randomizers shared_device quotas free_texts",
  groups: "pilots",
  pilots: "analyses control_items arms physical_randomizers filters sections batteries",
  arms: "physical_randomizers",
  physical_randomizers: "quotas free_texts",
};
