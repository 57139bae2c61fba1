// The quick exit. It rests on nothing else of the page: it works while the page checks itself, and where the
// page refuses to ask; it imports nothing. Without this script its button is a plain link.

// Escape would stop the loading of the page that the exit leads to, and other keys are typed:
// https://design-system.service.gov.uk/components/exit-this-page/
const KEY = "Shift";
const PRESSES = 3;
const WITHIN_MS = 5000;

const link = /** @type {HTMLAnchorElement | null} */ (document.getElementById("quick-exit"));
const leave = link && exitOf(link);
if (leave) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    leave();
  });
  followKeys(leave, () => [link.dataset.twice ?? "", link.dataset.once ?? ""]);
}

/**
 * @param {HTMLAnchorElement} link with the digests of all waves: earlier ones have left something, too
 * @returns {() => void} leaves at once: hides first, so that a slow network shows nothing
 */
function exitOf({ href, dataset }) {
  const digests = (dataset.digests ?? "").split(" ").filter(Boolean);
  const forget = () => forgetSurveys(digests);
  const lead = () => {
    try {
      // In a frame the page around it tells as much.
      (window.top ?? window).location.replace(href);
    } catch {
      location.replace(href);
    }
  };
  return () => {
    document.documentElement.replaceChildren();
    forget();
    // What is under way may store once more.
    addEventListener("pagehide", forget);
    addEventListener("pageshow", ({ persisted }) => persisted && lead());
    window.stop();
    lead();
  };
}

/** @param {string} sentence for screen readers */
function announce(sentence) {
  const region = document.getElementById("announcer");
  if (region) region.textContent = sentence;
}

/**
 * Leaves when the key is pressed by itself so many times, each soon after the other.
 * @param {() => void} leave
 * @param {() => string[]} words in the language of the page: what is said after each press but the last
 */
function followKeys(leave, words) {
  let presses = 0;
  let last = 0;
  let typing = false;
  addEventListener("keyup", ({ key, shiftKey, timeStamp }) => {
    // A capital letter comes up before the key that made it one.
    if (key === KEY && !typing) {
      presses = timeStamp - last > WITHIN_MS ? 1 : presses + 1;
      last = timeStamp;
      if (presses >= PRESSES) leave();
      else announce(words()[presses - 1] ?? "");
    } else {
      presses = 0;
    }
    typing = key !== KEY && shiftKey;
  }, true);
}

/**
 * Removes all that this browser, or this tab, keeps of surveys: whatever store.js and others name with their
 * digests, also below another path.
 * @param {string[]} digests
 */
function forgetSurveys(digests) {
  for (const storage of [() => localStorage, () => sessionStorage]) {
    try {
      const kept = storage();
      const keys = Object.keys(kept).filter((key) => key.startsWith("candor:") && digests.some((digest) => key.includes(digest)));
      keys.forEach((key) => kept.removeItem(key));
    } catch {
      // Blocked: then nothing was kept there.
    }
  }
}
