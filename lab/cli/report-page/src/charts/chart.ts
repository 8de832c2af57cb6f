// What all charts have in common: the theme, how a chart comes into the page, the highlight of
// one library, the keyboard, and export as a picture.
import { scaleLog } from "d3-scale";
import { isPrinting } from "../marks";
import { hideTip, showTip } from "../tooltip";

export function theme() {
  const style = getComputedStyle(document.documentElement), of = (name: string) => style.getPropertyValue(name).trim();
  return isPrinting()
    ? { ink: "#000", soft: "#444", grid: "#ddd", surface: "#fff", page: "#fff", wash: "#e9e3f8", tie: "#4a2f94", font: of("--sans") }
    : { ink: of("--ink"), soft: of("--soft"), grid: of("--grid"), surface: of("--surface"), page: of("--page"), wash: of("--tie-wash"), tie: of("--tie"), font: of("--sans") };
}
const ruler = document.createElement("canvas").getContext("2d");
export function textWidth(text: string, weight = 400, pixels = 12): number {
  if (!ruler) return text.length * 7;
  ruler.font = `${weight} ${pixels}px ${theme().font}`;
  return ruler.measureText(text).width;
}

export type Domain = [number, number];
/** A domain for a logarithmic axis that holds all values, and spans at least `least` times. */
export function logDomain(values: number[], least = 1.6): Domain {
  const good = values.filter((value) => Number.isFinite(value) && value > 0);
  if (!good.length) return [0.1, 10];
  const low = Math.min(...good), high = Math.max(...good);
  const grow = Math.max(Math.sqrt(least / (high / low)), (high / low) ** 0.04, 1.03);
  return [low / grow, high * grow];
}
/** Ticks of a logarithmic axis, and their texts without those that would overlap. */
export function logTicks(domain: Domain, pixels: number, text: (value: number) => string, each = 42, isUpright = false) {
  const count = Math.max(2, Math.floor(pixels / each)), scale = scaleLog(domain, [0, pixels]);
  let ticks = scale.ticks(count).filter((value) => value >= domain[0] && value <= domain[1]);
  // Among many ticks, those at 1, 2 and 5 times powers of ten are kept, or the powers alone.
  for (const kept of [[1, 2, 5], [1, 3], [1]]) {
    if (ticks.length <= count) break;
    const fewer = ticks.filter((value) => kept.includes(+(value / 10 ** Math.floor(Math.log10(value) + 1e-9)).toPrecision(2)));
    if (fewer.length < 2) break;
    ticks = fewer;
  }
  const shown: number[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const value of ticks) {
    const at = scale(value), half = isUpright ? each * 0.4 : textWidth(text(value), 400, 11) / 2 + 4;
    if (at - half >= end) { shown.push(value); end = at + half; }
  }
  return { values: shown, format: text };
}

/** Moves labels apart that would overlap, as little as possible. */
export function settle(places: number[], gap: number, bottom: number): number[] {
  const order = places.map((at, index) => ({ at, index })).sort((a, b) => a.at - b.at);
  let floor = 5;
  for (const one of order) { one.at = Math.max(one.at, floor); floor = one.at + gap; }
  let ceiling = bottom;
  for (const one of [...order].reverse()) { one.at = Math.min(one.at, ceiling); ceiling = one.at - gap; }
  const found: number[] = [];
  for (const one of order) found[one.index] = one.at;
  return found;
}

/** What a mark of a chart stands for. */
export interface Mark { library: string; /** What a click opens. */ act: string | null; label: string }

/** Ties the elements of a class in a chart to what they stand for. Plot writes the index of
 * its datum into each element. */
export function bind(svg: Element, selector: string, marks: Mark[], isStop: boolean) {
  for (const node of svg.querySelectorAll<SVGElement>(`${selector} > *`)) {
    const index = (node as unknown as { __data__?: number | number[] }).__data__;
    const mark = marks[Array.isArray(index) ? index[0] : (index ?? -1)];
    if (!mark) continue;
    node.dataset.lib = mark.library;
    if (!isStop || !mark.act) continue;
    node.dataset.act = mark.act;
    node.setAttribute("role", "button");
    node.setAttribute("aria-label", mark.label);
    node.setAttribute("tabindex", "-1");
  }
}

/** Puts a chart into the page. One mark of it is a stop of the keyboard; arrows go from mark to
 * mark. */
export function mount(node: HTMLElement, svg: SVGSVGElement | HTMLElement, description: string) {
  // Plot's own style sheet is not among those that the page's policy allows; report.css has it.
  for (const style of svg.querySelectorAll("style")) style.remove();
  node.replaceChildren(svg);
  const drawing = svg instanceof SVGSVGElement ? svg : svg.querySelector("svg");
  if (!drawing) return;
  drawing.setAttribute("role", "group");
  drawing.setAttribute("aria-label", description);
  drawing.querySelector("[data-act]")?.setAttribute("tabindex", "0");
}

/** Makes one library stand out in its chart, and the others faint. */
export function highlight(from: Element | null) {
  for (const chart of document.querySelectorAll(".chart.lit")) chart.classList.remove("lit");
  for (const node of document.querySelectorAll(".here")) node.classList.remove("here");
  const chart = from?.closest<HTMLElement>(".panel, dialog, .which")?.querySelector(".chart");
  const library = from?.closest<HTMLElement>("[data-lib]")?.dataset.lib;
  if (!chart || !library) return;
  const own = [...chart.querySelectorAll<HTMLElement>("[data-lib]")].filter((node) => node.dataset.lib === library);
  if (!own.length) return;
  chart.classList.add("lit");
  for (const node of own) node.classList.add("here");
}

function listen() {
  document.addEventListener("pointerover", (event) => {
    const target = event.target as Element;
    const mark = target.closest?.<HTMLElement>(".chart [data-lib], .legend [data-lib]") ?? null;
    highlight(mark);
    const act = target.closest?.<HTMLElement>(".chart [data-act]");
    if (act?.dataset.act) showTip(event, act.dataset.act); else hideTip();
  });
  document.addEventListener("pointermove", (event) => {
    const act = (event.target as Element).closest?.<HTMLElement>(".chart [data-act]");
    if (act?.dataset.act) showTip(event, act.dataset.act);
  });
  document.addEventListener("focusin", (event) => {
    const mark = (event.target as Element).closest<HTMLElement>(".chart [data-act], .legend [data-lib]");
    highlight(mark);
    if (!mark?.dataset.act || !mark.matches(":focus-visible")) return hideTip();
    const box = mark.getBoundingClientRect();
    showTip({ clientX: box.left + Math.min(box.width, 160), clientY: box.bottom }, mark.dataset.act);
  });
  document.addEventListener("keydown", (event) => {
    const mark = (event.target as Element).closest<SVGElement>(".chart [data-act]");
    if (!mark) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      mark.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      return;
    }
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = [...(mark.closest(".chart")?.querySelectorAll<SVGElement>("[data-act]") ?? [])];
    const next = all[(all.indexOf(mark) + step + all.length) % all.length];
    mark.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  });
}
listen();

/** A chart as one SVG file, with its title and its legend. */
function pictureOf(node: HTMLElement, title: string): { text: string; width: number; height: number } | null {
  const drawing = node.querySelector("svg");
  if (!drawing) return null;
  const look = theme(), copy = drawing.cloneNode(true) as SVGSVGElement;
  const width = drawing.clientWidth || Number(drawing.getAttribute("width")), height = drawing.clientHeight || Number(drawing.getAttribute("height"));
  const legend = [...node.parentElement?.querySelectorAll<HTMLElement>(":scope > .legend li") ?? []];
  const head = 30, foot = legend.length ? Math.ceil(legend.length / 3) * 18 + 8 : 0;
  copy.setAttribute("y", String(head));
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  copy.style.color = look.ink;
  for (const part of copy.querySelectorAll("[tabindex]")) part.removeAttribute("tabindex");
  const text = (x: number, y: number, weight: number, words: string) => `<text x="${x}" y="${y}" font-size="13" font-weight="${weight}" fill="${look.ink}">${words.replace(/&/g, "&amp;").replace(/</g, "&lt;")}</text>`;
  const names = legend.map((entry, place) => {
    const mark = entry.querySelector("svg path"), x = 10 + (place % 3) * (width / 3), y = head + height + 14 + Math.floor(place / 3) * 18;
    return `<path transform="translate(${x},${y - 4})" d="${mark?.getAttribute("d") ?? ""}" fill="${mark?.getAttribute("fill") ?? ""}"/>${text(x + 12, y, 400, entry.textContent ?? "")}`;
  });
  const inner = new XMLSerializer().serializeToString(copy);
  return {
    width, height: head + height + foot,
    text: `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${head + height + foot}" font-family="${look.font.replace(/"/g, "'")}"><rect width="100%" height="100%" fill="${look.surface}"/>${text(10, 20, 600, title)}${inner}${names.join("")}</svg>`,
  };
}
function save(blob: Blob, name: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
const fileName = (title: string) => title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "chart";
export function saveSvg(node: HTMLElement, title: string) {
  const picture = pictureOf(node, title);
  if (picture) save(new Blob([picture.text], { type: "image/svg+xml" }), `${fileName(title)}.svg`);
}
export async function savePng(node: HTMLElement, title: string) {
  const picture = pictureOf(node, title);
  if (!picture) return;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture.text)}`;
  await image.decode();
  const canvas = document.createElement("canvas"), scale = 2;
  canvas.width = picture.width * scale;
  canvas.height = picture.height * scale;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => { if (blob) save(blob, `${fileName(title)}.png`); });
}
