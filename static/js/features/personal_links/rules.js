/** Personal links: the module for ties has the rules of a roster. */

export const mode = "personal";
