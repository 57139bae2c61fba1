/** One text for each language; the twin is tests/app/contract/thank_you/__init__.py. */
export function checkSection({ thank_you: thanks }, fail) {
  if (!Array.isArray(thanks)) fail("not_a_list", "thank_you");
  const languages = thanks.map(({ language }) => language);
  if (new Set(languages).size < languages.length) fail("bad_thanks", "thank_you");
}
