// Panels: figures that are drawn as they come into view.
import type { Row } from "./charts/dots";
import { dotsHeight } from "./charts/dots";
import { mount, savePng, saveSvg } from "./charts/chart";
import { data } from "./data";
import { safe, number, spread } from "./format";
import { chip, isPrinting, standing } from "./marks";
import { matches } from "./search";

export interface Drawn {
  /** Draws the chart; absent if there is nothing to draw. */
  draw?: () => SVGSVGElement;
  unit?: string;
  rows?: Row[];
  /** The libraries of the chart, in order, if they are not named in it. */
  legend?: { library: string; name: string; /** Of what is no library. */ colour?: string }[];
  /** The number of further rows that are folded away. */
  folded?: number;
  empty?: string;
}
export interface PanelOptions {
  title: string; label: string; primitive?: string; note?: string;
  open?: (() => void) | null;
  make: (width: number, panel: Panel) => Drawn;
  search: string; rows?: number; height?: number; heads?: string[]; wide?: boolean; keep?: boolean;
}
export interface Panel extends PanelOptions {
  node: HTMLElement; chart: HTMLElement; unit: HTMLElement; values: HTMLDetailsElement;
  isDirty: boolean; drawn: Row[]; isUnfolded: boolean;
}
/** The rows of a panel before the slower ones are folded away. */
export const FEW = matchMedia("(max-width: 640px)").matches ? 7 : 12;
const PRINTED = 330, PRINTED_WIDE = 680;

export const panels: Panel[] = [];
const near = new Set<Panel>();
const byNode = new WeakMap<Element, Panel>();
const observer = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const panel = byNode.get(entry.target);
    if (!panel) continue;
    if (entry.isIntersecting) { near.add(panel); if (panel.isDirty) render(panel); } else near.delete(panel);
  }
}, { rootMargin: "400px 0px" });

const dotOf = (colour: string) => `<i class="swatch"><svg viewBox="-7 -7 14 14" aria-hidden="true"><path d="M-5,-5H5V5H-5Z" fill="${safe(colour)}"/></svg></i>`;

// Panels of a grid stand below each other without holes: each takes as many small rows of the grid
// as it is high (report.css).
const ROW = 4, GAP = 12.8;
const heights = new ResizeObserver((entries) => {
  for (const entry of entries) {
    const high = entry.borderBoxSize[0].blockSize;
    if (high) (entry.target as HTMLElement).style.gridRowEnd = `span ${Math.ceil((high + GAP) / ROW)}`;
  }
});

export function render(panel: Panel) {
  panel.isDirty = false;
  const width = isPrinting() ? (panel.wide ? PRINTED_WIDE : PRINTED) : panel.chart.clientWidth;
  if (!width) { panel.isDirty = true; return; }
  const made = panel.make(width, panel);
  panel.unit.textContent = made.unit ?? "";
  panel.drawn = made.rows ?? [];
  panel.node.querySelector(":scope > .legend")?.remove();
  if (made.draw) {
    mount(panel.chart, made.draw(), `${panel.label}. ${made.unit ?? ""}. The same numbers are in the table of values below.`);
    if (made.legend) panel.chart.insertAdjacentHTML("afterend", `<ul class="legend">${made.legend.map((one) => `<li data-lib="${safe(one.library)}" tabindex="0">${one.colour ? dotOf(one.colour) : chip(one.library)}${safe(one.name)}</li>`).join("")}</ul>`);
  } else panel.chart.innerHTML = `<p class="empty">${made.empty ?? "None of the libraries shown has this."}</p>`;
  panel.chart.style.minHeight = "";
  const more = panel.node.querySelector<HTMLElement>(".unfold");
  if (more) {
    more.hidden = !made.folded && !panel.isUnfolded;
    more.textContent = panel.isUnfolded ? "only the fastest" : `and ${made.folded} slower`;
  }
  panel.values.hidden = !panel.drawn.length;
  if (panel.values.open) fill(panel);
}
function fill(panel: Panel) {
  const rows = panel.drawn, second = rows.some((row) => row.alt), heads = panel.heads ?? ["value"];
  const one = (value: (Row["main"] & { text?: string }) | null | undefined, act: string | null | undefined) => {
    if (!value || !Number.isFinite(value.mid)) return "–";
    const text = safe(value.text ?? number(value.mid));
    // A single observation, and a sum of parts, have no interval.
    const width = value.few || value.high > value.low ? ` <span class="fine">${spread(value)}</span>` : "";
    return `${act ? `<button type="button" class="link" data-act="${act}">${text}</button>` : text}${width}`;
  };
  (panel.values.lastElementChild as HTMLElement).innerHTML = `<table><thead><tr><th scope="col">Library</th><th scope="col" class="n">${safe(heads[0])}</th>${second ? `<th scope="col" class="n">${safe(heads[1] ?? "")}</th>` : ""}<th scope="col">state</th></tr></thead><tbody>${rows.map((row) =>
    `<tr><th scope="row">${chip(row.library)}${safe(row.name)}</th><td class="n">${one(row.main, row.act)}</td>${second ? `<td class="n">${one(row.alt, row.altAct)}</td>` : ""}<td>${row.tie ? `<span class="badge tie">= tie</span>` : row.flag ? `<span class="badge flag">⚑ flag</span>` : row.vague ? `<span class="badge">? uncertain</span>` : ""}</td></tr>`).join("")}</tbody></table>`;
}
/** Draws panels again: now those in view, and the others as they come into view. */
export function touch(list: Panel[] = panels) {
  for (const panel of list) { panel.isDirty = true; if (near.has(panel) && !panel.node.hidden) render(panel); }
}
export function addPanel(parent: Element, options: PanelOptions): Panel {
  const { title, label, open, primitive, note } = options;
  const node = document.createElement("figure");
  node.className = "panel";
  const why = primitive ? data.primitives[primitive]?.why : note;
  const cost = primitive && data.primitives[primitive]?.cost;
  node.innerHTML = `<figcaption><h4>${open ? `<button type="button" class="link">${title}</button>` : title}${primitive ? standing(primitive) : ""}</h4>${cost ? `<p class="cost">${safe(cost)}</p>` : ""}${why ? `<p class="why">${primitive ? safe(why) : why}</p>` : ""}<p class="unit"></p></figcaption><div class="chart"></div><button type="button" class="link unfold" hidden></button><div class="foot"><details class="values"><summary>Values</summary><div class="scroll" tabindex="0" role="region" aria-label="Values: ${safe(label)}"></div></details><span class="save"><button type="button" class="link" data-save="svg" aria-label="${safe(label)} as SVG">SVG</button> <button type="button" class="link" data-save="png" aria-label="${safe(label)} as PNG">PNG</button></span></div>`;
  const panel: Panel = {
    ...options, node, chart: node.querySelector(".chart") as HTMLElement, unit: node.querySelector(".unit") as HTMLElement,
    values: node.querySelector("details.values") as HTMLDetailsElement, isDirty: true, drawn: [], isUnfolded: false,
  };
  byNode.set(node, panel);
  // The chart has its height before it is drawn, so that nothing below it moves.
  panel.chart.style.minHeight = `${options.height ?? dotsHeight(Math.min(options.rows ?? FEW, FEW))}px`;
  if (open) node.querySelector("h4 button")?.addEventListener("click", open);
  node.querySelector(".unfold")?.addEventListener("click", () => { panel.isUnfolded = !panel.isUnfolded; render(panel); });
  node.querySelector(".save")?.addEventListener("click", (event) => {
    const kind = (event.target as HTMLElement).closest<HTMLElement>("[data-save]")?.dataset.save;
    if (!kind) return;
    if (panel.isDirty) render(panel);
    (kind === "svg" ? saveSvg : savePng)(panel.chart, label);
  });
  panel.values.addEventListener("toggle", () => { if (panel.values.open) { if (panel.isDirty) render(panel); fill(panel); } });
  parent.append(node);
  panels.push(panel);
  observer.observe(node);
  heights.observe(node);
  if (!panel.keep) node.hidden = !matches(panel.search);
  return panel;
}
export function removePanel(panel: Panel) {
  panels.splice(panels.indexOf(panel), 1);
  near.delete(panel);
  observer.unobserve(panel.node);
  heights.unobserve(panel.node);
  panel.node.remove();
}
/** The fastest rows, unless the user asked for all. */
export function fold(rows: Row[], panel: Panel): { rows: Row[]; folded: number } {
  if (panel.isUnfolded || rows.length <= FEW + 1) return { rows, folded: 0 };
  return { rows: rows.slice(0, FEW), folded: rows.length - FEW };
}
export function drawAll() {
  for (const details of document.querySelectorAll<HTMLDetailsElement>("details.group")) details.open = true;
  for (const panel of panels) if (!panel.node.hidden) render(panel);
}
export function redrawNear() { for (const panel of near) if (panel.isDirty && !panel.node.hidden) render(panel); }
