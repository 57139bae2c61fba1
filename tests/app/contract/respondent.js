// The body of a function of the batch, in a page of the served modules; rr_page.py has the rest.

const from = (name) => import(`/static/js/${name}.js`);
const { partsFor } = await from("ui/parts");
const { practice } = await from("ui/explain");
const { quiz } = await from("ui/practised");
const { QuestionBlock } = await from("ui/question");
const { sentScreen } = await from("ui/farewell");
const { Session } = await from("lib/session");
const { memoryStore } = await from("lib/store");

// Elements that may not be without words.
const TELLING = "th, td, li, label, figcaption, button, summary, legend, h2, h3, dt, dd";
const check = document.body.appendChild(document.createElement("a"));
Object.assign(check, { id: "check-link", href: "/check/" });

const bytesOf = (drawn, whole) => {
  const width = Math.ceil((whole - 1).toString(2).length / 8) * Number(whole > 1);
  return Array.from({ length: width }, (_, i) => Math.floor(drawn / 256 ** (width - 1 - i)) % 256);
};

// [device, truth, drawn, report] of every border between two reports.
const drawnOtherwise = (parameters, borders) =>
  borders.filter(([at, truth, drawn, report]) => {
    const one = parameters.devices[at];
    const bytes = bytesOf(drawn, one.denominator);
    const source = sourceOf(bytes);
    return device.drawReport(one, truth, source) !== report || source.used() !== bytes.length;
  });

const trouble = (error) => {
  throw error;
};

// Puts onto the page what it has beside the parameters where they have a roster: a preview with names.
function stage({ roster }) {
  if (!roster) return;
  const names = JSON.stringify(roster.codes.map((code) => `Mia ${code}`));
  const markup = `<div id="respond" data-preview="true"></div><p id="person"></p><script type="application/json" id="roster-names">${names}</script>`;
  check.insertAdjacentHTML("afterend", markup);
}

async function screens(parameters) {
  stage(parameters);
  const parts = await partsFor(parameters, parameters.questions);
  const [question] = parameters.questions;
  const devices = wire.devicesOf(parameters, question);
  const look = parts.lookOf(devices[0]);
  const session = new Session(parameters, memoryStore());
  const block = new QuestionBlock({ question, devices, parts, session, onTrouble: trouble });
  const before = question.randomized ? [practice({ question, devices }, parameters, parts, trouble), ...quiz(parameters, look, parts)] : [];
  const after = question.randomized ? devices.flatMap((one) => reportsOf(look, question, one)) : [];
  return [...before, block.node, ...after, await sent(parameters, devices, parts)];
}

// Every code; of bits none and all of them, of the filters of texts with their cohort.
const someReports = ({ reports, bits, table }) =>
  reports ? [...reports.keys()] : ["0", "1"].map((bit, i) => (table.cohorts ? [i * (table.cohorts - 1), bit.repeat(bits)] : bit.repeat(bits)));

const reportsOf = (look, question, one) =>
  someReports(one).flatMap((report) => {
    const { text, more } = look.who(question, one, report);
    const letter = look.letter?.(report) ?? one.reports[report];
    return [look.nameOf(letter), text, more, look.result(question, one, report)].filter(Boolean);
  });

async function sent(parameters, devices, parts) {
  const reports = Object.fromEntries(devices.map((one) => [one.id, someReports(one)[0]]));
  const body = JSON.stringify({ digest: parameters.digest, submission: "0", reports });
  return sentScreen({ parameters, parts, strength: "" }, body, "receipt").node;
}

const texts = (node) => {
  if (typeof node === "string") return [node];
  const walk = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walk.nextNode()) found.push(walk.currentNode.data);
  return found;
};

const isEmpty = (node) => !node.textContent.trim() && !node.querySelector("input, svg");
const emptyIn = (node) =>
  typeof node === "string" ? [] : [...node.querySelectorAll(TELLING)].filter(isEmpty).map((x) => x.outerHTML);

const told = [];
for (const { served, borders } of given) {
  try {
    const parameters = await wire.checkParameters(served, load, sections);
    const nodes = await screens(parameters);
    told.push({
      refused: "",
      otherwise: drawnOtherwise(parameters, borders),
      empty: nodes.flatMap(emptyIn),
      text: nodes.flatMap(texts).join(" "),
    });
  } catch (error) {
    told.push({ refused: `${error.code ?? error.stack} ${error.field ?? ""}` });
  }
}
return told;
