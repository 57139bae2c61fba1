/**
 * Attributes of a field for a word that nobody may learn. Nothing that a browser offers for texts may be on:
 * some of it asks a service.
 */
export const UNSEEN = {
  autocomplete: "off",
  autocorrect: "off",
  autocapitalize: "none",
  spellcheck: "false",
  writingsuggestions: "false",
  translate: "no",
};
