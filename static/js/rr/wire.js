import { checkDevice } from "./device.js";
import { CanonicalError, ParametersError, PayloadError } from "./errors.js";
import { parseDecimal } from "./exact.js";
import { systemBytes } from "./random.js";
import { IDENTIFIER, checkKeys, deepFreeze, isLabelList, isRecord } from "./shape.js";

/**
 * @typedef {object} Question
 * @property {string} id
 * @property {"yes_no" | "single_choice"} kind
 * @property {string} text
 * @property {string} help
 * @property {boolean} required
 * @property {boolean} randomized
 * @property {string[]} categories "prefer not to say" is the last one where it is offered
 * @property {boolean} prefer_not
 */

/**
 * @typedef {object} Parameters
 * @property {number} format
 * @property {string} survey
 * @property {number} version
 * @property {number} wave
 * @property {string} language
 * @property {string} title
 * @property {string} [introduction]
 * @property {string} [consent]
 * @property {string} [contact]
 * @property {"together" | "apart"} linkage
 * @property {string} epsilon declared total
 * @property {Question[]} questions
 * @property {import("./device.js").Device[]} devices
 * @property {string} digest
 * @property {object} [translations]
 */

const FORMAT = 1;
const PAGE = "page";
const KEYS = "format survey version wave language title linkage epsilon questions devices digest";
const OPTIONAL_TEXTS = ["introduction", "consent", "contact"];
const QUESTION_KEYS = "id kind text help required randomized categories prefer_not";
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const UUID4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * RFC 8785 canonical JSON of integers, strings, booleans, null, arrays and plain objects.
 * @param {unknown} value
 * @param {string} [path] where the value stands, for the error
 * @returns {string}
 * @throws {CanonicalError} for anything else: a fraction, an unsafe integer, a lone surrogate
 */
export function canonicalJson(value, path = "$") {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return canonicalString(value, path);
  if (typeof value === "number") return canonicalInteger(value, path);
  if (Array.isArray(value)) {
    return `[${Array.from(value, (x, i) => canonicalJson(x, `${path}.${i}`)).join(",")}]`;
  }
  if (!isRecord(value)) throw new CanonicalError("not_json", path);
  // The default sort compares UTF-16 code units, as the RFC asks.
  const members = Object.keys(value).sort().map((key) => {
    return `${canonicalString(key, path)}:${canonicalJson(value[key], `${path}.${key}`)}`;
  });
  return `{${members.join(",")}}`;
}

function canonicalString(value, path) {
  if (/\p{Surrogate}/u.test(value)) throw new CanonicalError("lone_surrogate", path);
  return JSON.stringify(value);
}

function canonicalInteger(value, path) {
  if (!Number.isSafeInteger(value)) throw new CanonicalError("not_a_safe_integer", path);
  return String(value);
}

/**
 * The digest that names a parameters document: all of it but the digest and the translations.
 * @param {Parameters} parameters
 * @returns {Promise<string>} "sha256:" and 64 hexadecimal digits
 * @throws {ParametersError} insecure_context where the browser hides SHA-256 (plain http)
 */
export async function digest(parameters) {
  const { digest: _digest, translations: _translations, ...covered } = parameters;
  const bytes = new TextEncoder().encode(canonicalJson(covered));
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) throw new ParametersError("insecure_context", "crypto.subtle");
  const hash = new Uint8Array(await subtle.digest("SHA-256", bytes));
  return `sha256:${hex(hash)}`;
}

function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Verifies a parameters document before a question is shown, and freezes it.
 * @param {Parameters} parameters as parsed from JSON
 * @returns {Promise<Parameters>} the same object
 * @throws {ParametersError | import("./errors.js").DeviceError}
 */
export async function checkParameters(parameters) {
  const fail = failAt("");
  if (isRecord(parameters) && parameters.format !== FORMAT) fail("unknown_format", "format");
  checkKeys(parameters, KEYS.split(" "), [...OPTIONAL_TEXTS, "translations"], fail);
  deepFreeze(parameters);
  checkHead(parameters, fail);
  parameters.questions.forEach((x, i) => checkQuestion(x, failAt(`questions.${i}.`)));
  unique(parameters.questions.map(({ id }) => id), "questions", fail);
  parameters.devices.forEach((device) => checkDevice(device));
  checkCoverage(parameters, fail);
  checkTotal(parameters, fail);
  if ((await digest(parameters)) !== parameters.digest) fail("wrong_digest", "digest");
  return parameters;
}

function failAt(prefix) {
  return (code, field) => {
    throw new ParametersError(code, prefix + field);
  };
}

function checkHead(parameters, fail) {
  for (const field of ["survey", "language", "title"]) {
    if (typeof parameters[field] !== "string" || !parameters[field]) fail("bad_text", field);
  }
  for (const field of OPTIONAL_TEXTS) {
    if (typeof (parameters[field] ?? "") !== "string") fail("bad_text", field);
  }
  for (const field of ["version", "wave"]) {
    const value = parameters[field];
    if (!Number.isSafeInteger(value) || value < 1) fail("bad_number", field);
  }
  for (const field of ["questions", "devices"]) {
    if (!Array.isArray(parameters[field]) || !parameters[field].length) fail("empty", field);
  }
  if (!["together", "apart"].includes(parameters.linkage)) fail("bad_choice", "linkage");
  if (parseDecimal(parameters.epsilon) === null) fail("not_a_decimal", "epsilon");
  if (!isRecord(parameters.translations ?? {})) fail("not_an_object", "translations");
}

function checkQuestion(question, fail) {
  checkKeys(question, QUESTION_KEYS.split(" "), [], fail);
  const { id, kind, categories, prefer_not: preferNot } = question;
  if (typeof id !== "string" || !IDENTIFIER.test(id)) fail("bad_name", "id");
  if (!["yes_no", "single_choice"].includes(kind)) fail("bad_choice", "kind");
  for (const field of ["text", "help"]) {
    if (typeof question[field] !== "string") fail("bad_text", field);
  }
  for (const field of ["required", "randomized", "prefer_not"]) {
    if (typeof question[field] !== "boolean") fail("not_a_boolean", field);
  }
  if (!isLabelList(categories)) fail("bad_labels", "categories");
  const options = categories.length - Number(preferNot);
  if (options < 2 || (kind === "yes_no" && options !== 2)) fail("wrong_length", "categories");
}

function unique(names, field, fail) {
  if (new Set(names).size < names.length) fail("duplicate", field);
}

// Every question has one device of the page's own, and never two in one stratum.
function checkCoverage({ questions, devices }, fail) {
  const byId = new Map(questions.map((question) => [question.id, question]));
  unique(devices.map(({ id, stratum }) => `${id} ${stratum}`), "devices", fail);
  const uses = devices.flatMap((device) => device.questions.map((x) => `${x} ${device.stratum}`));
  unique(uses, "devices", fail);
  devices.forEach((device, i) => checkFit(device, byId, failAt(`devices.${i}.`)));
  const bare = questions.findIndex(({ id }) => !uses.includes(`${id} ${PAGE}`));
  if (bare >= 0) fail("not_covered", `questions.${bare}`);
}

function checkFit({ id, questions: ids, design, columns }, byId, fail) {
  if (!ids.every((name) => byId.has(name))) fail("unknown_question", "questions");
  if (ids.length === 1 && ids[0] !== id) fail("bad_name", "id");
  const covered = ids.map((name) => byId.get(name));
  const truths = covered.reduce((product, { categories }) => product * categories.length, 1);
  if (columns.length !== truths) fail("wrong_length", "columns");
  const randomized = design !== "direct";
  if (covered.some((question) => question.randomized !== randomized)) fail("bad_choice", "design");
}

// A person uses one stratum of each device: the sum over devices of the largest over strata.
function checkTotal({ devices, epsilon }, fail) {
  const largest = new Map();
  for (const device of devices) {
    const units = device.epsilon === null ? 0n : parseDecimal(device.epsilon);
    if (units >= (largest.get(device.id) ?? 0n)) largest.set(device.id, units);
  }
  const total = [...largest.values()].reduce((sum, units) => sum + units, 0n);
  if (total > parseDecimal(epsilon)) fail("over_budget", "epsilon");
}

/**
 * The body of a response. It has room for codes of drawn reports and for nothing else.
 * @param {{digest: string, submission: string, reports: Record<string, number>,
 *   strata?: Record<string, string>}} fields
 * @returns {object} a frozen copy, to be sent as JSON
 * @throws {PayloadError}
 */
export function payload(fields) {
  const fail = (code, field) => {
    throw new PayloadError(code, field);
  };
  checkKeys(fields, ["digest", "submission", "reports"], ["strata"], fail);
  const { digest: name, submission, reports, strata } = fields;
  if (typeof name !== "string" || !DIGEST.test(name)) fail("bad_digest", "digest");
  if (typeof submission !== "string" || !UUID4.test(submission)) fail("bad_id", "submission");
  checkEntries("reports", reports, (x) => Number.isSafeInteger(x) && x >= 0, fail);
  checkEntries("strata", strata ?? {}, (x) => typeof x === "string" && IDENTIFIER.test(x), fail);
  return deepFreeze(structuredClone({ ...fields }));
}

function checkEntries(field, entries, valid, fail) {
  if (!isRecord(entries)) fail("not_an_object", field);
  for (const [name, value] of Object.entries(entries)) {
    if (!IDENTIFIER.test(name)) fail("bad_name", field);
    if (!valid(value)) fail("bad_value", `${field}.${name}`);
  }
}

/**
 * A version 4 UUID; crypto.randomUUID is missing where pages come over plain http.
 * @param {import("./random.js").RandomBytes} [randomBytes]
 * @returns {string} lower case, with hyphens
 */
export function newSubmissionId(randomBytes = systemBytes) {
  const bytes = randomBytes(16);
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
