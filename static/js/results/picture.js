/** Pictures of a figure: always in light colours, with the question and its source, for a paper. */

const WIDTH = 800;
const SCALE = 2;
const LINE = 24;

/**
 * @param {Figure} figure
 * @param {string} source
 * @returns {Figure} with title and source, which the page shows around it
 */
function withCaption(figure, source) {
  const copy = structuredClone(figure);
  const { layout } = copy;
  const captionHeight = LINE * (layout.meta.title.split("<br>").length + 0.5);
  const height = layout.height + captionHeight + LINE;
  const margin = { ...layout.margin, t: layout.margin.t + captionHeight, b: layout.margin.b + LINE };
  const outside = { xref: "paper", x: 0, xanchor: "left", yref: "paper", showarrow: false, align: "left" };
  const plotHeight = height - margin.t - margin.b;
  layout.annotations = [
    ...(layout.annotations ?? []),
    { ...outside, text: layout.meta.title, y: 1 + captionHeight / plotHeight, yanchor: "top", font: { size: 17, weight: 600 } },
    { ...outside, text: `${layout.meta.source} · ${source}`, y: -margin.b / plotHeight, yanchor: "bottom", font: { size: 11 } },
  ];
  return { ...copy, layout: { ...layout, margin, height, width: WIDTH } };
}

/**
 * @param {Figure} figure
 * @param {"svg" | "png"} format
 * @param {string} source
 * @returns {Promise<Blob>}
 */
export async function picture(figure, format, source) {
  const captioned = withCaption(figure, source);
  const size = { width: WIDTH, height: captioned.layout.height };
  // Plotly would make a PNG through a blob: address, which the page's policy refuses; a data:
  // address is allowed, and so is a canvas.
  const address = await window.Plotly.toImage(captioned, { ...size, format: "svg" });
  const svg = decodeURIComponent(address.slice(address.indexOf(",") + 1));
  return format === "svg" ? new Blob([svg], { type: "image/svg+xml" }) : rasterize(address, size);
}

/**
 * @param {string} address
 * @param {{width: number, height: number}} size
 * @returns {Promise<Blob>}
 */
async function rasterize(address, { width, height }) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * SCALE;
  canvas.height = height * SCALE;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no picture");
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png");
  });
}

/**
 * Hand a figure to the browser's downloads.
 * @param {DOMStringMap} button with the key of the figure, and the format
 * @param {Record<string, Figure>} figures
 * @param {DOMStringMap} page with the slug of the survey, and the source
 */
export async function savePicture({ key = "", format }, figures, { slug = "", source = "" }) {
  const kind = format === "png" ? "png" : "svg";
  save(await picture(figures[key], kind, source), `${slug}-${key.replace(/[^a-z0-9_]+/g, "-")}.${kind}`);
}

/**
 * Hand a file to the browser's downloads.
 * @param {Blob} blob
 * @param {string} name
 */
export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
