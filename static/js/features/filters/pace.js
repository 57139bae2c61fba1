import { systemBytes, uniformBelow } from "../../rr/random.js";

// How long an answer takes for each word where none has been timed yet; and the bounds of a pause.
const USUAL_MS = 500;
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
  /** @type {Map<string, number>} for each question that was answered: milliseconds for each word */
  #rates = new Map();
  /** @type {Map<string, number>} the words of the questions that somebody was not asked */
  #owed = new Map();
  /** @type {{question: Question, since: number} | null} */
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

  /** @param {Question | null} question that is shown now; null where it is not one alone */
  show(question) {
    this.#close();
    this.#open = question && { question, since: this.#now() };
  }

  /** @param {Question} question that is not asked */
  pass(question) {
    this.#owed.set(question.id, words(question));
  }

  /** How long to wait, in milliseconds: about as long as all that was not asked would have taken. */
  pause() {
    this.#close();
    const pauses = [...this.#owed.values()].map((count) => within(count * this.#rate(), SHORTEST_MS, LONGEST_MS));
    const whole = pauses.reduce((sum, pause) => sum + pause, 0);
    return within(whole - this.#spent, 0, LONGEST_IN_ALL_MS);
  }

  #close() {
    if (!this.#open) return;
    const { question, since } = this.#open;
    const taken = this.#now() - since;
    this.#open = null;
    if (this.#owed.has(question.id)) this.#spent += taken;
    // Whoever comes back to a question does not read it again.
    else if (!this.#rates.has(question.id)) this.#rates.set(question.id, taken / words(question));
  }

  #rate() {
    const rates = [...this.#rates.values()];
    const like = rates.length ? rates[this.#draw(rates.length)] : USUAL_MS;
    return like * SPREAD ** ((2 * this.#draw(FINE)) / FINE - 1);
  }
}

/** @type {(value: number, least: number, most: number) => number} */
const within = (value, least, most) => Math.min(Math.max(value, least), most);

/** @param {Question} question @returns how much there is to read */
const words = ({ text, help, categories }) => [text, help, ...categories].join(" ").split(/\s+/).filter(Boolean).length;
