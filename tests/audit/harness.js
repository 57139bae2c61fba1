/** Draws for the audit, in the page: the real device or a mutant, on the system's random bytes. */

import { systemBytes } from "/static/js/rr/random.js";

// As much as crypto.getRandomValues gives at once; asking for four bytes at a time is slow.
const CHUNK = 65536;

/** The system's generator, read a chunk at a time and used byte by byte in order. */
export function chunkedSource() {
  const handOut = oneArrayEach();
  let chunk = systemBytes(CHUNK);
  let used = 0;
  return (count) => {
    if (used + count > CHUNK) {
      chunk = systemBytes(CHUNK);
      used = 0;
    }
    used += count;
    return handOut(chunk, used - count, count);
  };
}

/**
 * Copies bytes into one array for each length, again and again: a new one for each draw takes longer than
 * the draw. What keeps its bytes beyond the next draw would draw other reports.
 */
function oneArrayEach() {
  const arrays = [];
  return (bytes, from, count) => {
    const array = (arrays[count] ??= new Uint8Array(count));
    for (let i = 0; i < count; i += 1) array[i] = bytes[from + i];
    return array;
  };
}

/** Counts of `draws` reports for one true value; a code out of range is counted last. */
export function countReports(draw, device, truth, draws) {
  const source = chunkedSource();
  const known = device.reports.length;
  const counts = new Array(known + 1).fill(0);
  for (let i = 0; i < draws; i += 1) {
    const code = draw(device, truth, source);
    counts[code >= 0 && code < known ? code : known] += 1;
  }
  return counts;
}

/** The first reports that this page sends, one after another. */
export function sequence(draw, device, truth, draws) {
  const source = chunkedSource();
  return Array.from({ length: draws }, () => draw(device, truth, source));
}

/** Counts of whole reports to a question with several devices, the last device's code fastest. */
export function countWholeReports(draw, devices, truths, draws) {
  const source = chunkedSource();
  const sizes = devices.map(({ reports }) => reports.length);
  const counts = new Array(sizes.reduce((product, size) => product * size, 1)).fill(0);
  for (let i = 0; i < draws; i += 1) {
    let whole = 0;
    devices.forEach((device, at) => {
      whole = whole * sizes[at] + draw(device, truths[at], source);
    });
    counts[whole] += 1;
  }
  return counts;
}

/**
 * Counts of whole chains for one true value: the report of the first wave, then each later one given
 * the one before, the last one fastest.
 */
export function countChains(first, relaxed, devices, truth, draws) {
  const source = chunkedSource();
  const size = devices[0].reports.length;
  const counts = new Array(size ** devices.length).fill(0);
  for (let i = 0; i < draws; i += 1) {
    let report = first(devices[0], truth, source);
    let whole = report;
    for (let wave = 1; wave < devices.length; wave += 1) {
      report = relaxed(devices[wave], wave, report, truth, source);
      whole = whole * size + report;
    }
    counts[whole] += 1;
  }
  return counts;
}

/**
 * Counts of reports of one text, by the cohorts and bits of all that somebody sends: one filter, or
 * several. `client` draws cohorts, computes marks and draws reports. The hash of a text is computed once
 * for each cohort.
 */
export async function countFilters(client, device, words, draws) {
  const { cohorts, bits } = device.table;
  const marks = await marksByCohort(client, device.table, words);
  const sent = client.sent ?? 1;
  const size = cohorts * 2 ** bits;
  const counts = new Array(size ** sent).fill(0);
  const source = chunkedSource();
  for (let i = 0; i < draws; i += 1) {
    const cohort = client.drawCohort(device.table, source, words);
    let whole = 0;
    for (let again = 0; again < sent; again += 1) {
      const [drawn, filter] = client.drawReport(device, marks[cohort], source);
      whole = whole * size + drawn * 2 ** bits + parseInt(filter, 2);
    }
    counts[whole] += 1;
  }
  return counts;
}

/** How many drew each cohort, and of these how many sent each bit as 1. */
export async function countPlaces(client, device, words, draws) {
  const { cohorts, bits } = device.table;
  const marks = await marksByCohort(client, device.table, words);
  const people = new Array(cohorts).fill(0);
  const ones = people.map(() => new Array(bits).fill(0));
  const source = chunkedSource();
  for (let i = 0; i < draws; i += 1) {
    const cohort = client.drawCohort(device.table, source, words);
    const [drawn, filter] = client.drawReport(device, marks[cohort], source);
    people[drawn] += 1;
    for (let bit = 0; bit < bits; bit += 1) ones[drawn][bit] += Number(filter[bit]);
  }
  return [people, ones];
}

const marksByCohort = ({ marksOf }, table, words) =>
  Promise.all(Array.from({ length: table.cohorts }, (_, cohort) => marksOf(table, { words, cohort })));

/** Counts of whole reports to all tiers for one true value, the highest tier fastest. */
export function countTiers(draw, device, truth, draws) {
  const source = chunkedSource();
  const sizes = device.steps.map(({ reports }) => reports.length);
  const counts = new Array(sizes.reduce((product, size) => product * size, 1)).fill(0);
  for (let i = 0; i < draws; i += 1) {
    const reports = draw(device, truth, source);
    counts[reports.reduce((whole, code, tier) => whole * sizes[tier] + code, 0)] += 1;
  }
  return counts;
}

/** Counts of whole reports to a group for one combination of true answers, the last question fastest. */
export function countGroups(draw, device, truths, draws) {
  const source = chunkedSource();
  const { sizes } = device;
  const counts = new Array(sizes.reduce((product, size) => product * size, 1)).fill(0);
  for (let i = 0; i < draws; i += 1) {
    counts[draw(device, truths, source).reduce((whole, code, at) => whole * sizes[at] + code, 0)] += 1;
  }
  return counts;
}

/**
 * Bytes that are the same in every run and look random: AES in counter mode under a key of the label.
 * A source hands them out once.
 */
export async function seededSource(label, size) {
  const words = new TextEncoder().encode(label);
  const key = await crypto.subtle.importKey("raw", await crypto.subtle.digest("SHA-256", words), "AES-CTR", false, ["encrypt"]);
  const counter = { name: "AES-CTR", counter: new Uint8Array(16), length: 64 };
  const bytes = new Uint8Array(await crypto.subtle.encrypt(counter, key, new Uint8Array(size)));
  const handOut = oneArrayEach();
  let used = 0;
  return (count) => {
    if (used + count > size) throw new RangeError("all of the seeded bytes are used up");
    used += count;
    return handOut(bytes, used - count, count);
  };
}

/** Counts of whole reports of bits, read as binary numbers, for one set of ties. */
export function countTies(draw, device, truth, draws, source) {
  const counts = new Array(2 ** device.bits).fill(0);
  for (let i = 0; i < draws; i += 1) counts[parseInt(draw(device, truth, source), 2)] += 1;
  return counts;
}

/** How often each text was sent: of a report that is more than its bits, such as their order. */
export function countTexts(draw, device, truth, draws, source) {
  const counts = {};
  for (let i = 0; i < draws; i += 1) {
    const text = draw(device, truth, source);
    counts[text] = (counts[text] ?? 0) + 1;
  }
  return counts;
}

/** Counts how often every bit was sent as 1, and how often every bit and the next were both. */
export function countNeighbours(draw, device, truth, draws, source) {
  const ones = new Array(device.bits).fill(0);
  const both = ones.slice(1);
  for (let i = 0; i < draws; i += 1) {
    const report = draw(device, truth, source);
    for (let bit = 0; bit < device.bits; bit += 1) {
      if (report[bit] !== "1") continue;
      ones[bit] += 1;
      if (report[bit + 1] === "1") both[bit] += 1;
    }
  }
  return [ones, both];
}
