import { systemBytes, uniformBelow } from "../../rr/random.js";

// Whoever reads 200 words a minute and needs 1.2 seconds for a tap reads so many words in that time.
const WORDS_A_TAP = 4;
// To go on; and to draw, with the time until what was drawn is read.
const [NEXT, DRAW] = [1, 2];
// How long an answer takes for each word where none has been timed yet; and the bounds of a pause.
const USUAL_MS = 300;
const SHORTEST_MS = 2000;
const LONGEST_MS = 40_000;
const LONGEST_IN_ALL_MS = 90_000;
// A pause is longer or shorter than the answer that it is like, by up to this factor.
const SPREAD = 1.5;
const FINE = 2 ** 20;

/**
 * How fast somebody answers, in memory. Whoever is asked fewer questions is ready sooner; they wait about as long as
 * they would have taken, by the time that another question took them.
 */
export class Pace {
  /** @type {Map<string, {rate: number, drawn: boolean}>} of each question that was answered; in milliseconds for each word */
  #rates = new Map();
  /** @type {Map<string, number>} the effort of the questions that somebody was not asked */
  #owed = new Map();
  /** @type {{question: Question, effort: number, since: number} | null} */
  #open = null;
  // On screens of questions that were not asked, in milliseconds.
  #spent = 0;
  #now;
  #draw;

  /**
   * @param {() => number} now in milliseconds
   * @param {(count: number) => number} draw a whole number below it
   */
  constructor(now = () => performance.now(), draw = (count) => uniformBelow(count, systemBytes)) {
    this.#now = now;
    this.#draw = draw;
  }

  /**
   * @param {Question | null} question that is shown now; null where it is not one alone
   * @param {number} answers that it takes
   */
  show(question, answers) {
    this.#close();
    this.#open = question && { question, effort: effort(question, answers), since: this.#now() };
  }

  /**
   * @param {Question} question that is not asked
   * @param {number} answers that it would have taken
   */
  pass(question, answers) {
    this.#owed.set(question.id, effort(question, answers));
  }

  /** How long to wait, in milliseconds: about as long as all that was not asked would have taken. */
  pause() {
    this.#close();
    const pauses = [...this.#owed.values()].map((owed) => within(owed * this.#rate(), SHORTEST_MS, LONGEST_MS));
    const whole = pauses.reduce((sum, pause) => sum + pause, 0);
    return within(whole - this.#spent, 0, LONGEST_IN_ALL_MS);
  }

  #close() {
    if (!this.#open) return;
    const { question, effort, since } = this.#open;
    const taken = this.#now() - since;
    this.#open = null;
    if (this.#owed.has(question.id)) this.#spent += taken;
    // Whoever comes back to a question does not read it again.
    else if (!this.#rates.has(question.id)) this.#rates.set(question.id, { rate: taken / effort, drawn: question.randomized });
  }

  #rate() {
    const timed = [...this.#rates.values()];
    // With the first draw there is more to read, which is known from then on.
    const first = timed.findIndex(({ drawn }) => drawn);
    const usual = timed.length > 1 ? timed.filter((_, i) => i !== first) : timed;
    const like = usual.length ? usual[this.#draw(usual.length)].rate : USUAL_MS;
    return like * SPREAD ** ((2 * this.#draw(FINE)) / FINE - 1);
  }
}

/** @type {(value: number, least: number, most: number) => number} */
const within = (value, least, most) => Math.min(Math.max(value, least), most);

/**
 * How much a question asks of somebody, in words: what there is to read, and the taps. A short question takes longer
 * for each of its words than a long one.
 * @param {Question} question
 * @param {number} answers that it takes
 */
function effort({ text, help, categories, randomized }, answers) {
  const words = [text, help, ...categories].join(" ").split(/\s+/).filter(Boolean).length;
  return words + WORDS_A_TAP * (answers + NEXT + (randomized ? DRAW : 0));
}
