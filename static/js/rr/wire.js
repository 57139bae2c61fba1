import { checkDevice, isCoded, isDrawn, partsOf } from "./device.js";
import { CanonicalError, ParametersError, PayloadError } from "./errors.js";
import { parseDecimal } from "./exact.js";
import { systemBytes } from "./random.js";
import { checkKeys, deepFreeze, isCode, isLabelList, isName, isRecord } from "./shape.js";

const FORMAT = 1;
const KEYS = (
  "format survey version wave previous mode language title linkage population release_threshold release_batch " +
  "epsilon reason questions devices digest"
).split(" ");
const OPTIONAL_TEXTS = ["introduction", "consent", "contact"];
/** The controls of questions of which one answer is true, and listed. */
export const LISTED = ["yes_no", "list", "scale"];
/** The control of questions about the members of a survey. */
export const MEMBERS = "roster";
const CONTROLS = [...LISTED, "boxes", "number", "text", "ranking", MEMBERS];
const QUESTION_KEYS =
  "id kind control text help required randomized reason categories prefer_not scale characters directed".split(" ");
// Up to this epsilon in all nothing needs a reason.
const UNEXPLAINED = 4n * 10n ** 12n;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const UUID4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * RFC 8785 canonical JSON.
 * @param {unknown} value
 * @param {string} [path] of the value
 * @returns {string}
 * @throws {CanonicalError} for fractions, unsafe integers, lone surrogates and what is no JSON
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

/**
 * @param {string} value
 * @param {string} path
 */
function canonicalString(value, path) {
  if (/\p{Surrogate}/u.test(value)) throw new CanonicalError("lone_surrogate", path);
  return JSON.stringify(value);
}

/**
 * @param {number} value
 * @param {string} path
 */
function canonicalInteger(value, path) {
  if (!Number.isSafeInteger(value)) throw new CanonicalError("not_a_safe_integer", path);
  return String(value);
}

/**
 * The digest that names a parameters document: all of it but the digest and the translations.
 * @param {Omit<ServedParameters, "devices">} parameters
 * @throws {ParametersError}
 */
export function digest(parameters) {
  const { digest: _digest, translations: _translations, ...covered } = parameters;
  return digestOf(covered);
}

/**
 * @param {object} covered
 * @throws {ParametersError} insecure_context: browsers hide SHA-256 over plain http
 */
export async function digestOf(covered) {
  const bytes = new TextEncoder().encode(canonicalJson(covered));
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) throw new ParametersError("insecure_context", "crypto.subtle");
  const hash = new Uint8Array(await subtle.digest("SHA-256", bytes));
  return `sha256:${hex(hash)}`;
}

/** @param {Uint8Array} bytes */
function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Verifies a parameters document before a question is shown.
 * @param {ServedParameters} raw as parsed from JSON; frozen here
 * @param {LoadCheck} load
 * @param {string[]} marks of features: sections_of_features in surveys/views/respond.py
 * @returns {Promise<SurveyParameters>} its devices with the contents of their tables
 * @throws {ParametersError | import("./errors.js").DeviceError}
 */
export async function checkParameters(raw, load, marks) {
  const sections = marks.map((mark) => mark.split(/\b/));
  const fail = failAt("");
  if (isRecord(raw) && raw.format !== FORMAT) fail("unknown_format", "format");
  const keys = sections.flatMap(([, sign, key]) => (sign === "." ? key : []));
  const names = sections.flatMap(([name, sign, own]) => (!sign ? name : sign === "?" || (sign === "!" && isUsed(raw, [name, sign, own])) ? own : []));
  const texts = [...OPTIONAL_TEXTS, ...sections.flatMap(([, sign, key]) => (sign === "$" ? key : []))];
  checkKeys(raw, [...KEYS, ...names], [...texts, "translations"], fail);
  deepFreeze(raw);
  checkHead(raw, texts, fail);
  raw.questions.forEach((x, i) => checkQuestion(x, keys, failAt(`questions.${i}.`)));
  const used = sections.filter((section) => isUsed(raw, section)).map(([name]) => name);
  checkUnique(raw.questions.map(({ id }) => id), "questions", fail);
  checkRelease(raw, fail);
  const parts = new Map();
  for (const name of new Set(raw.devices.filter(isRecord).flatMap(partsOf))) {
    const part = await load(name);
    if (part) parts.set(name, part);
  }
  const devices = raw.devices.map((device) => checkDevice(device, parts));
  const whole = /** @type {SurveyParameters} */ (deepFreeze({ ...raw, devices, used }));
  const others = async () => (await load("rules")) ?? fail("not_loaded", "rules");
  const more = !parts.has("rules") && isPlain(whole) ? undefined : await others();
  const parameters = more?.marked?.(whole, sections) ?? whole;
  const strata = (await more?.checkSections?.(parameters, fail, load)) ?? [];
  checkCoverage(parameters, { checkFit, checkCovered, ...more }, fail, strata);
  const total = spent(parameters);
  if (total > (parseDecimal(parameters.epsilon) ?? 0n)) fail("over_budget", "epsilon");
  await (total > UNEXPLAINED ? await others() : more)?.checkRest?.(parameters, fail, load);
  if ((await digest(raw)) !== raw.digest) fail("wrong_digest", "digest");
  return parameters;
}

/**
 * Whether rules.js has nothing to check beside devices and a large epsilon.
 * @param {SurveyParameters} parameters
 */
export const isPlain = ({ mode, wave, previous, used, reason, questions, devices }) =>
  mode === "open" && wave === 1 && previous === null && reason === "" && !used.length &&
  questions.every((x) => !x.reason && LISTED.includes(x.control) && [x.scale, x.characters, x.directed].every((y) => y === null)) &&
  devices.every((x) => x.option === null && !x.earlier.length && x.delta === null && isCoded(x.table));

/** @type {(raw: any, section: string[]) => boolean} */
const isUsed = (raw, [name, sign, word]) =>
  sign === "." ? raw.questions.some((/** @type {any} */ x) => x[word] !== null)
    : sign === "?" ? raw[word] !== null
    : sign === "!" ? raw?.[word] !== undefined
    : !sign && raw[name]?.length !== 0;

/**
 * @param {string} prefix
 * @returns {Fail}
 */
function failAt(prefix) {
  return (code, field) => {
    throw new ParametersError(code, prefix + field);
  };
}

/** @param {unknown} value */
const isCount = (value) => isCode(value) && value !== 0;

/**
 * @param {ServedParameters & Record<string, unknown>} parameters
 * @param {string[]} texts that may be missing
 * @param {Fail} fail
 */
function checkHead(parameters, texts, fail) {
  for (const field of ["survey", "language", "title"]) {
    if (typeof parameters[field] !== "string" || !parameters[field]) fail("bad_text", field);
  }
  for (const field of texts) {
    if (typeof (parameters[field] ?? "") !== "string") fail("bad_text", field);
  }
  for (const field of ["version", "wave"]) {
    if (!isCount(parameters[field])) fail("bad_number", field);
  }
  for (const field of ["questions", "devices"]) {
    if (!Array.isArray(parameters[field]) || !parameters[field].length) fail("empty", field);
  }
  if (!["together", "apart"].includes(parameters.linkage)) fail("bad_choice", "linkage");
  if (parseDecimal(parameters.epsilon) === null) fail("not_a_decimal", "epsilon");
  if (!isRecord(parameters.translations ?? {})) fail("not_an_object", "translations");
}

/**
 * @param {ServedParameters} parameters
 * @param {Fail} fail
 */
function checkRelease({ population, release_threshold: threshold, release_batch: batch }, fail) {
  if (!["sample", "fixed"].includes(population)) fail("bad_choice", "population");
  if (!isCount(threshold)) fail("bad_number", "release_threshold");
  if (!isCount(batch)) fail("bad_number", "release_batch");
}

/**
 * @param {Question & Record<string, unknown>} question
 * @param {string[]} keys of features
 * @param {Fail} fail
 */
function checkQuestion(question, keys, fail) {
  checkKeys(question, [...QUESTION_KEYS, ...keys], ["not_applicable"], fail);
  const { id, kind, control, categories, not_applicable: applies } = question;
  if (![undefined, true].includes(applies)) fail("bad_choice", "not_applicable");
  if (!isName(id) || id.length > 32) fail("bad_name", "id");
  if (!isName(kind)) fail("bad_name", "kind");
  if (!CONTROLS.includes(control)) fail("bad_choice", "control");
  for (const field of ["text", "help", "reason"]) {
    if (typeof question[field] !== "string") fail("bad_text", field);
  }
  for (const field of ["required", "randomized", "prefer_not"]) {
    if (typeof question[field] !== "boolean") fail("not_a_boolean", field);
  }
  if (!isUnlisted(question)) {
    if (!isLabelList(categories)) fail("bad_labels", "categories");
    if (answerCount(question) < 2) fail("wrong_length", "categories");
  }
}

/**
 * @param {string[]} names
 * @param {string} field
 * @param {Fail} fail
 */
function checkUnique(names, field, fail) {
  if (new Set(names).size < names.length) fail("duplicate", field);
}

/**
 * How many categories are answers; those after them are “does not apply” and a refusal.
 * @param {Question} question
 */
export const answerCount = ({ categories, prefer_not: refusal, not_applicable: marked }) =>
  categories.length - Number(refusal) - Number(marked ?? false);

/**
 * The category “does not apply”; null where a question has none.
 * @param {Question} question
 */
export const inapplicable = (question) => (question.not_applicable ? answerCount(question) : null);

/** @param {Question} question @returns whether several categories may be true */
export const isSeveral = ({ control }) => control === "boxes";

/** @param {Question} question */
export const isNumber = ({ control }) => control === "number";

/** @param {Question} question @returns whether its answers are no list: texts and members */
export const isUnlisted = ({ control }) => control === "text" || control === MEMBERS;

/**
 * The devices of a question in a stratum: one, or one for each option in order. A joint one covers
 * several questions. Without a stratum those that the browser draws for.
 * @type {(parameters: SurveyParameters, question: Question, stratum?: string) => Device[]}
 */
export const devicesOf = ({ devices }, { id }, stratum) =>
  devices.filter((device) => (stratum ? device.stratum === stratum : isDrawn(device)) && device.questions.includes(id));

/**
 * @param {SurveyParameters} parameters
 * @param {Required<Pick<CheckPart, "checkFit" | "checkCovered">>} rules
 * @param {Fail} fail
 * @param {string[]} strata into which chance puts people
 */
function checkCoverage(parameters, rules, fail, strata) {
  const { questions, devices } = parameters;
  devices.forEach((device, i) => {
    const question = questions.find(({ id }) => id === device.questions[0]);
    if (device.table.form === "joint") return;
    if (device.questions.length > 1) fail("several_questions", `devices.${i}.questions`);
    if (!question) fail("unknown_question", `devices.${i}.questions`);
    rules.checkFit(device, question, failAt(`devices.${i}.`), strata);
  });
  checkUnique(devices.map(({ id, stratum }) => `${id} ${stratum}`), "devices", fail);
  rules.checkCovered(parameters, fail);
}

// These two rules are those of plain documents; rules.js has others.

/** @type {NonNullable<CheckPart["checkCovered"]>} */
const checkCovered = (parameters, fail) =>
  parameters.questions.forEach((question, i) => {
    if (!devicesOf(parameters, question).length) fail("not_covered", `questions.${i}`);
  });

/** @type {CheckFit} */
function checkFit({ id, truths, epsilon }, question, fail) {
  if (id !== question.id) fail("bad_name", "id");
  if (truths !== question.categories.length) fail("wrong_length", "table");
  if ((epsilon !== null) !== question.randomized) fail("bad_choice", "epsilon");
}

/**
 * The epsilon (or delta) of one person, who uses one stratum of each device.
 * @param {Pick<SurveyParameters, "devices">} parameters
 * @param {"epsilon" | "delta"} [field]
 * @returns {bigint} in units of 10**-12, the sum over devices of the largest over strata
 */
export function spent({ devices }, field = "epsilon") {
  /** @type {Map<string, bigint>} */
  const largest = new Map();
  for (const device of devices) {
    const units = parseDecimal(device[field]) ?? 0n;
    if (units >= (largest.get(device.id) ?? 0n)) largest.set(device.id, units);
  }
  return [...largest.values()].reduce((sum, units) => sum + units, 0n);
}

/**
 * @type {(parameters: SurveyParameters, question: Question) => bigint}
 */
export const spentOn = ({ devices }, { id }) =>
  spent({ devices: devices.filter(({ questions }) => questions.includes(id)) });

/**
 * The body of a response, frozen. It has room for drawn reports only.
 * @param {ResponseBody} fields
 * @param {OwnKey} [own] no other survey's body has any
 */
export function payload(fields, own) {
  /** @type {Fail} */
  const fail = (code, field) => {
    throw new PayloadError(code, field);
  };
  checkKeys(fields, ["digest", "submission", "reports", ...(own ? [own.name] : [])], ["strata", "orders", "texts"], fail);
  const { digest: name, submission, reports, strata, orders, texts } = fields;
  if (own?.fits(fields[own.name]) === false) fail(`bad_${own.name}`, own.name);
  if (typeof name !== "string" || !DIGEST.test(name)) fail("bad_digest", "digest");
  if (typeof submission !== "string" || !UUID4.test(submission)) fail("bad_id", "submission");
  checkEntries("reports", reports, isReport, fail);
  checkEntries("strata", strata ?? {}, isName, fail);
  checkEntries("orders", orders ?? {}, isCode, fail);
  checkEntries("texts", texts ?? {}, (text) => typeof text === "string", fail);
  return deepFreeze(structuredClone({ ...fields }));
}

/** @param {unknown} x a code, a string of bits, or a list of these */
const isReport = (x) => [x].flat().every((y) => isCode(y) || (typeof y === "string" && /^[01]+$/.test(y)));

/**
 * @param {string} field
 * @param {unknown} entries
 * @param {(value: unknown) => boolean} valid
 * @param {Fail} fail
 */
function checkEntries(field, entries, valid, fail) {
  if (!isRecord(entries)) fail("not_an_object", field);
  for (const [name, value] of Object.entries(entries)) {
    if (!isName(name)) fail("bad_name", field);
    if (!valid(value)) fail("bad_value", `${field}.${name}`);
  }
}

/**
 * A version 4 UUID; crypto.randomUUID is missing over plain http.
 * @param {(count: number) => Uint8Array} [randomBytes]
 */
export function newSubmissionId(randomBytes = systemBytes) {
  const bytes = randomBytes(16);
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
