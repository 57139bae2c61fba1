import { button, el, freshId } from "../../lib/dom.js";
import { gettext, interpolate } from "../../lib/i18n.js";
import { UNSEEN } from "../../lib/unseen.js";
import { Ticks } from "./ticks.js";

// The names of a roster, to be ticked: without name and value attributes, and nothing is left after the draw.

// A list longer than this has a search, and its names are one stop of the tab key.
const LONG = 12;
const PAGE_STEP = 10;

/**
 * The parts that questions about a roster need.
 * @param {Roster} roster
 * @param {Person} person whose own name is left out
 */
export function rosterControl(roster, person) {
  const members = others(roster, person);
  const bits = roster.codes.length - 1;
  return {
    /** @type {MakeControl} */
    control: ({ required }, _device, naming, onChange) => list(members, bits, required, naming, onChange),
  };
}

/**
 * The other members by groups, in the roster's order; with each the place of its bit. Of the same name twice
 * the group is shown, or the code where that does not tell them apart.
 * @param {Roster} roster
 * @param {Person} person
 * @returns {RosterName[]}
 */
function others({ codes, groups, group_of: groupOf }, { place: own, names }) {
  const all = codes.map((code, place) => ({
    code,
    place,
    name: names?.[place].trim() ?? "",
    group: groups[groupOf[place]] ?? "",
  }));
  const shown = all.filter(({ place, name }) => place !== own && name);
  shown.sort((a, b) => (groupOf[a.place] ?? 0) - (groupOf[b.place] ?? 0));
  /** @type {(text: string) => number} */
  const uses = (text) => counts.get(text) ?? 0;
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { name, group } of shown) {
    for (const text of [plain(name), plain(`${name}\n${group}`)]) counts.set(text, uses(text) + 1);
  }
  return shown.map(({ code, place, name, group }) => {
    const twice = uses(plain(name)) > 1;
    const note = !twice ? "" : uses(plain(`${name}\n${group}`)) > 1 ? code : group;
    return { bit: place - Number(place > own), name, note, group };
  });
}

/**
 * As names are compared: without accents, in small letters.
 * @param {string} text
 */
const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/**
 * @param {RosterName[]} members
 * @param {number} bits
 * @param {boolean} required
 * @param {Naming} naming
 * @param {() => void} onChange
 * @returns {Control<Named>}
 */
function list(members, bits, required, naming, onChange) {
  const parts = build(members, naming);
  const { node, boxes, none, search, only, undo, scroller } = parts;
  const ticks = new Ticks(boxes, none);
  const keys = boxes.length > LONG ? keyboard(boxes, scroller) : null;
  const sought = members.map(({ name, note, group }) => plain(`${name} ${note} ${group}`));
  let onlyTicked = false;

  const filter = () => {
    const wanted = plain(search.value).split(/\s+/).filter(Boolean);
    /** @param {number} i */
    const fits = (i) => (onlyTicked ? boxes[i].checked : wanted.every((word) => sought[i].includes(word)));
    parts.show(fits);
    parts.say(onlyTicked || wanted.length > 0);
    keys?.settle();
  };
  const show = () => {
    parts.count.textContent = countText(ticks);
    undo.textContent = ticks.canUndo ? gettext("Undo") : gettext("Untick all");
    undo.disabled = !ticks.canUndo && ticks.count === 0;
    // The button keeps the focus if it has it.
    only.disabled = !onlyTicked && ticks.count === 0 && document.activeElement !== only;
    only.setAttribute("aria-pressed", String(onlyTicked));
  };
  /** @param {boolean} on */
  const setOnly = (on) => {
    onlyTicked = on;
    search.value = "";
    filter();
    show();
  };
  const changed = () => {
    show();
    onChange();
  };

  search.addEventListener("input", () => {
    onlyTicked = false;
    filter();
    show();
  });
  search.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "Enter") {
      event.preventDefault();
      keys?.first();
    }
  });
  only.addEventListener("click", () => setOnly(!onlyTicked));
  undo.addEventListener("click", () => {
    ticks.swap();
    changed();
  });
  node.addEventListener("change", ({ target }) => {
    if (target === search) return;
    ticks.changed(target === none);
    changed();
  });
  const clear = () => {
    ticks.forget();
    setOnly(false);
    scroller.scrollTop = 0;
    keys?.start();
  };
  clear();
  const choice = () => {
    if (!none.checked && ticks.count === 0) return null;
    const ties = Array(bits).fill(0);
    members.forEach(({ bit }, i) => (ties[bit] = Number(boxes[i].checked)));
    return { ties };
  };
  const problem = () =>
    required && !choice() ? gettext("Tick the names that it is true of, or “None of them”, before you go on.") : "";
  return { node, choice, clear, problem, focus: () => (search.isConnected ? search : (boxes[0] ?? none)).focus() };
}

/** @param {Ticks} ticks */
function countText({ count, isNone }) {
  if (isNone) return gettext("None of them: this is an answer.");
  return interpolate(count === 1 ? gettext("%(count)s name ticked") : gettext("%(count)s names ticked"), { count });
}

/**
 * @param {RosterName[]} members
 * @param {Naming} naming
 */
function build(members, naming) {
  const [searchId, keysId] = [freshId(), freshId()];
  const boxes = members.map(box);
  const rows = members.map((member, i) => nameRow(member, boxes[i]));
  const groups = grouped(members, rows);
  const none = box();
  const search = el("input", { type: "search", id: searchId, class: "text__field", dir: "auto", enterkeyhint: "search", ...UNSEEN });
  const shown = el("p", { class: "small quiet roster__shown", role: "status" });
  const count = el("p", { class: "roster__count" });
  const only = button(gettext("Show only these"), () => {}, "button--quiet");
  const undo = button("", () => {}, "button--quiet");
  const scroller = el("div", { class: "roster__list" }, ...groups.map(({ node }) => node));
  const isLong = members.length > LONG;
  const keys = gettext("With a keyboard: the arrow keys go from name to name, the space bar ticks.");
  const tools = [
    el("label", { for: searchId, class: "label" }, gettext("Find a name")),
    search,
    shown,
    el("p", { id: keysId, class: "small quiet roster__keys" }, keys),
  ];
  const description = [naming["aria-describedby"], isLong && keysId].filter(Boolean).join(" ");
  const node = el(
    "div",
    { role: "group", class: "roster", ...naming, "aria-describedby": description },
    isLong && el("div", { class: "roster__search" }, ...tools),
    scroller,
    el("label", { class: "option roster__none", for: none.id }, none, el("span", {}, gettext("None of them"))),
    el("div", { class: "roster__row" }, count, el("div", {}, only, undo)),
  );
  /** @param {(i: number) => boolean} fits */
  const show = (fits) => {
    rows.forEach((row, i) => (row.hidden = !fits(i)));
    for (const { node: group, of } of groups) group.hidden = of.every((row) => row.hidden);
  };
  /** @param {boolean} filtered */
  const say = (filtered) => (shown.textContent = filtered ? shownText(rows, boxes) : "");
  return { node, boxes, none, search, count, only, undo, scroller, show, say };
}

/**
 * @param {HTMLElement[]} rows
 * @param {HTMLInputElement[]} boxes
 */
function shownText(rows, boxes) {
  const shown = rows.filter((row) => !row.hidden).length;
  const away = boxes.filter((x, i) => x.checked && rows[i].hidden).length;
  const sentence = interpolate(gettext("%(shown)s of %(names)s names shown."), { shown, names: rows.length });
  if (away === 0) return sentence;
  const others = gettext("Ticked, but not among them: %(away)s.");
  return `${sentence} ${interpolate(others, { away })}`;
}

const box = () => el("input", { type: "checkbox", id: freshId(), autocomplete: "off" });

/**
 * @param {RosterName} member
 * @param {HTMLInputElement} input
 */
function nameRow({ name, note }, input) {
  const words = el("span", {}, el("bdi", {}, name), note && " ", note && el("bdi", { class: "small quiet" }, `(${note})`));
  return el("label", { class: "option roster__name", dir: "auto", for: input.id }, input, words);
}

/**
 * The rows under the headings of their groups.
 * @param {RosterName[]} members
 * @param {HTMLElement[]} rows
 */
function grouped(members, rows) {
  return [...new Set(members.map(({ group }) => group))].map((group) => {
    const of = rows.filter((_, i) => members[i].group === group);
    const id = freshId();
    const heading = group && el("h3", { id, class: "roster__heading", dir: "auto" }, group);
    const node = el("div", group ? { role: "group", "aria-labelledby": id } : {}, heading, ...of);
    return { node, of };
  });
}

/**
 * Arrow keys among the names that are shown; one of them is the stop of the tab key.
 * @param {HTMLInputElement[]} boxes
 * @param {HTMLElement} scroller
 */
function keyboard(boxes, scroller) {
  const isShown = (/** @type {HTMLInputElement} */ x) => !x.labels?.[0]?.hidden;
  const shown = () => boxes.filter(isShown);
  let stop = boxes[0];
  /** @param {HTMLInputElement | undefined} next */
  const setStop = (next) => {
    if (!next) return;
    stop.tabIndex = -1;
    stop = next;
    stop.tabIndex = 0;
  };
  boxes.forEach((x) => (x.tabIndex = -1));
  scroller.addEventListener("focusin", ({ target }) => setStop(boxes.find((x) => x === target)));
  scroller.addEventListener("keydown", (event) => {
    const next = keyed(event, shown(), stop);
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  const first = () => shown()[0]?.focus();
  const settle = () => !isShown(stop) && setStop(shown()[0]);
  return { first, settle, start: () => setStop(boxes[0]) };
}

/**
 * @param {KeyboardEvent} event
 * @param {HTMLInputElement[]} shown
 * @param {HTMLInputElement} at
 */
function keyed({ key, ctrlKey, altKey, metaKey }, shown, at) {
  if (ctrlKey || altKey || metaKey) return undefined;
  const last = shown.length - 1;
  const place = shown.indexOf(at);
  /** @type {Record<string, number>} */
  const places = {
    ArrowDown: place + 1,
    ArrowUp: place - 1,
    PageDown: place + PAGE_STEP,
    PageUp: place - PAGE_STEP,
    Home: 0,
    End: last,
  };
  if (!Object.hasOwn(places, key)) return undefined;
  return shown[Math.min(Math.max(places[key], 0), last)];
}
