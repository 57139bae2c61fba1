import { PAGE, checkDevice, partsOf } from "./device.js";
import { CanonicalError, ParametersError, PayloadError } from "./errors.js";
import { parseDecimal } from "./exact.js";
import { systemBytes } from "./random.js";
import { checkKeys, deepFreeze, isLabelList, isName, isRecord } from "./shape.js";

const FORMAT = 1;
const KEYS = (
  "format survey version wave language title linkage population release_threshold release_batch " +
  "tables epsilon reason questions devices digest"
).split(" ");
const OPTIONAL_TEXTS = ["introduction", "consent", "contact"];
const CONTROLS = ["yes_no", "list", "scale", "boxes"];
const QUESTION_KEYS =
  "id kind control text help required randomized reason categories prefer_not".split(" ");
// Epsilon of a question, and of all questions of one person: above these there is a reason.
const QUESTION_LIMIT = 4n * 10n ** 12n;
const PERSON_LIMIT = 10n * 10n ** 12n;
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const UUID4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * RFC 8785 canonical JSON; throws a CanonicalError for a fraction, an unsafe integer, a lone
 * surrogate, and for what is no JSON. `path` is where the value stands.
 * @param {unknown} value
 * @param {string} [path]
 * @returns {string}
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
 * Browsers hide SHA-256 where pages come over plain http: insecure_context.
 * @param {Omit<ServedParameters, "devices">} parameters
 */
export async function digest(parameters) {
  const { digest: _digest, translations: _translations, ...covered } = parameters;
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
 * Verifies a parameters document before a question is shown. `load` gets the module of a look or of
 * a form of table, if there is one of this name.
 * @param {ServedParameters} raw as parsed from JSON; frozen here
 * @param {(name: string) => Promise<CheckPart> | undefined} load
 * @returns {Promise<SurveyParameters>} its devices with what their tables say
 * @throws {ParametersError | import("./errors.js").DeviceError}
 */
export async function checkParameters(raw, load) {
  const fail = failAt("");
  if (isRecord(raw) && raw.format !== FORMAT) fail("unknown_format", "format");
  checkKeys(raw, KEYS, [...OPTIONAL_TEXTS, "translations"], fail);
  deepFreeze(raw);
  checkHead(raw, fail);
  raw.questions.forEach((x, i) => checkQuestion(x, failAt(`questions.${i}.`)));
  unique(raw.questions.map(({ id }) => id), "questions", fail);
  checkRelease(raw, fail);
  const parts = new Map();
  for (const name of new Set(raw.devices.filter(isRecord).flatMap(partsOf))) {
    const part = await load(name);
    if (part) parts.set(name, part);
  }
  const devices = raw.devices.map((device) => checkDevice(device, parts));
  const parameters = /** @type {SurveyParameters} */ (deepFreeze({ ...raw, devices }));
  checkCoverage(parameters, fail);
  if (spent(parameters) > (parseDecimal(parameters.epsilon) ?? 0n)) fail("over_budget", "epsilon");
  checkReasons(parameters, fail);
  if ((await digest(raw)) !== raw.digest) fail("wrong_digest", "digest");
  return parameters;
}

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
 * @param {Fail} fail
 */
function checkHead(parameters, fail) {
  for (const field of ["survey", "language", "title"]) {
    if (typeof parameters[field] !== "string" || !parameters[field]) fail("bad_text", field);
  }
  for (const field of OPTIONAL_TEXTS) {
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
 * How results are released; cross-tables need the reports of one person together.
 * @param {ServedParameters} parameters
 * @param {Fail} fail
 */
function checkRelease({ population, release_threshold: threshold, tables, ...rest }, fail) {
  if (!["sample", "fixed"].includes(population)) fail("bad_choice", "population");
  if (!isCount(threshold)) fail("bad_number", "release_threshold");
  if (!isCount(rest.release_batch)) fail("bad_number", "release_batch");
  if (!Array.isArray(tables)) fail("not_a_list", "tables");
  if (tables.length > 0 && rest.linkage !== "together") fail("not_together", "tables");
  const known = rest.questions.map(({ id }) => id);
  tables.forEach((pair, i) => {
    const two = Array.isArray(pair) && pair.length === 2 && pair[0] !== pair[1];
    if (!two || !pair.every((id) => known.includes(id))) fail("bad_table", `tables.${i}`);
  });
}

/**
 * @param {Question & Record<string, unknown>} question
 * @param {Fail} fail
 */
function checkQuestion(question, fail) {
  checkKeys(question, QUESTION_KEYS, [], fail);
  const { id, kind, control, categories, prefer_not: preferNot } = question;
  if (!isName(id) || id.length > 32) fail("bad_name", "id");
  if (!isName(kind)) fail("bad_name", "kind");
  if (!CONTROLS.includes(control)) fail("bad_choice", "control");
  for (const field of ["text", "help", "reason"]) {
    if (typeof question[field] !== "string") fail("bad_text", field);
  }
  for (const field of ["required", "randomized", "prefer_not"]) {
    if (typeof question[field] !== "boolean") fail("not_a_boolean", field);
  }
  if (!isLabelList(categories)) fail("bad_labels", "categories");
  if (categories.length - Number(preferNot) < 2) fail("wrong_length", "categories");
}

/**
 * Above the limits somebody says why, and the page shows it.
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 */
function checkReasons(parameters, fail) {
  const { reason, questions } = parameters;
  if (typeof reason !== "string") fail("bad_text", "reason");
  /** @type {(above: bigint, text: string) => boolean} */
  const missing = (above, text) => above > 0n && !text.trim();
  if (missing(spent(parameters) - PERSON_LIMIT, reason)) fail("no_reason", "reason");
  questions.forEach((question, i) => {
    const above = spentOn(parameters, question) - QUESTION_LIMIT;
    if (missing(above, question.reason)) fail("no_reason", `questions.${i}.reason`);
  });
}

/**
 * @param {string[]} names
 * @param {string} field
 * @param {Fail} fail
 */
function unique(names, field, fail) {
  if (new Set(names).size < names.length) fail("duplicate", field);
}

/**
 * Whether any number of a question's categories may be true at once.
 * @param {Question} question
 */
export const isSeveral = ({ control }) => control === "boxes";

/**
 * The devices that the browser draws for a question: one, or one for each option in order.
 * @type {(parameters: SurveyParameters, question: Question, stratum?: string) => Device[]}
 */
export const devicesOf = ({ devices }, { id }, stratum = PAGE) =>
  devices.filter((device) => device.stratum === stratum && device.questions[0] === id);

/**
 * Every question is covered on the page, and wherever else it has a device.
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 */
function checkCoverage(parameters, fail) {
  const { questions, devices } = parameters;
  devices.forEach((device, i) => {
    const question = questions.find(({ id }) => id === device.questions[0]);
    checkFit(device, question, failAt(`devices.${i}.`));
  });
  unique(devices.map(({ id, stratum }) => `${id} ${stratum}`), "devices", fail);
  for (const stratum of new Set([PAGE, ...devices.map((device) => device.stratum)])) {
    questions.forEach((question, i) => {
      const found = devicesOf(parameters, question, stratum);
      if (stratum !== PAGE && found.length === 0) return;
      const alone = found.length === 1 && found[0].option === null;
      const each = question.categories.every((_, at) => found[at]?.option === at);
      if (!alone && (!each || found.length > question.categories.length)) {
        fail("not_covered", `questions.${i}`);
      }
    });
  }
}

/**
 * @param {AnyDevice} device
 * @param {Question | undefined} question
 * @param {Fail} fail
 */
function checkFit(device, question, fail) {
  if (device.questions.length > 1) fail("several_questions", "questions");
  if (!question) fail("unknown_question", "questions");
  const { categories, prefer_not: refusal, randomized, id } = question;
  const [option, several] = [device.option, isSeveral(question)];
  const about = several && option !== null && Number.isInteger(option) && option in categories;
  if (option !== null && !about) fail("bad_option", "option");
  if (device.id !== (about ? `${id}_${option + 1}` : id)) fail("bad_name", "id");
  const subsets = 2 ** (categories.length - Number(refusal)) + Number(refusal);
  const truths = about ? 2 : several ? subsets : categories.length;
  if (device.truths !== truths) fail("wrong_length", "table");
  if ((device.epsilon !== null) !== randomized) fail("bad_choice", "epsilon");
}

/**
 * What one person may spend, in units of 10**-12. A person uses one stratum of each device: the
 * sum over devices of the largest over strata.
 * @param {Pick<SurveyParameters, "devices">} parameters
 */
export function spent({ devices }) {
  /** @type {Map<string, bigint>} */
  const largest = new Map();
  for (const { id, epsilon } of devices) {
    const units = parseDecimal(epsilon) ?? 0n;
    if (units >= (largest.get(id) ?? 0n)) largest.set(id, units);
  }
  return [...largest.values()].reduce((sum, units) => sum + units, 0n);
}

/**
 * The same of one question.
 * @type {(parameters: SurveyParameters, question: Question) => bigint}
 */
export const spentOn = ({ devices }, { id }) =>
  spent({ devices: devices.filter(({ questions }) => questions[0] === id) });

/**
 * The body of a response, frozen. It has room for codes of drawn reports and for nothing else.
 * @param {ResponseBody} fields
 */
export function payload(fields) {
  /** @type {Fail} */
  const fail = (code, field) => {
    throw new PayloadError(code, field);
  };
  checkKeys(fields, ["digest", "submission", "reports"], ["strata"], fail);
  const { digest: name, submission, reports, strata } = fields;
  if (typeof name !== "string" || !DIGEST.test(name)) fail("bad_digest", "digest");
  if (typeof submission !== "string" || !UUID4.test(submission)) fail("bad_id", "submission");
  checkEntries("reports", reports, isReport, fail);
  checkEntries("strata", strata ?? {}, isName, fail);
  return deepFreeze(structuredClone({ ...fields }));
}

/** @param {unknown} x */
const isCode = (x) => Number.isSafeInteger(x) && Number(x) >= 0;
/**
 * A code, a list of codes, or a string of bits.
 * @param {unknown} x
 */
const isReport = (x) => isCode(x) || (Array.isArray(x) ? x.every(isCode) : typeof x === "string" && /^[01]+$/.test(x));

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
 * A version 4 UUID; crypto.randomUUID is missing where pages come over plain http.
 * @param {(count: number) => Uint8Array} [randomBytes]
 */
export function newSubmissionId(randomBytes = systemBytes) {
  const bytes = randomBytes(16);
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
