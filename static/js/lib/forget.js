/**
 * Removes all that this browser, or this tab, keeps of surveys: what store.js keeps under their digests, and
 * what begins like it.
 * @param {string[]} digests
 */
export function forgetSurveys(digests) {
  const starts = digests.map((digest) => `candor:${digest}`);
  for (const storage of [() => localStorage, () => sessionStorage]) {
    try {
      const kept = storage();
      const keys = Object.keys(kept).filter((key) => starts.some((start) => key.startsWith(start)));
      keys.forEach((key) => kept.removeItem(key));
    } catch {
      // Blocked: then nothing was kept there.
    }
  }
}
