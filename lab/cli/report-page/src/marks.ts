// One colour and one shape for each library, the same in every chart.
import { symbol, symbolCircle, symbolCross, symbolDiamond, symbolSquare, symbolStar, symbolTriangle, symbolWye, type SymbolType } from "d3-shape";
import { data, present, represented } from "./data";
import { safe, libraryName } from "./format";

const LIGHT = ["#0069a8", "#c2410c", "#00795a", "#9c2a7f", "#866300", "#5d5a66", "#007d93", "#6d48c8", "#c01a52", "#7a4a24", "#3d7a1d", "#2f3fb5"];
const DARK = ["#58b4ec", "#ff9457", "#35cb9b", "#ec8fd0", "#dfbc45", "#b9bcc8", "#55d3e6", "#b9a0ff", "#ff84aa", "#cf9f79", "#9bd06c", "#93a0ff"];
const SHAPES: SymbolType[] = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolCross, symbolStar, symbolWye];
const DASHES = ["none", "6 3", "2 3", "8 3 2 3"];

// Versions and builds of a library have its colour and another shape, so that the libraries
// themselves share the colours. Seven shapes and twelve colours have no common divisor, so
// that no two of 84 libraries look alike.
const projects = present.filter((library) => !represented.has(library.id));
const places = new Map(projects.map((library, place) => [library.id, { colour: place, shape: place }]));
for (const library of present) {
  const by = places.get(represented.get(library.id) ?? "");
  if (by && !places.has(library.id)) places.set(library.id, { colour: by.colour, shape: by.shape + 3 });
}
const placeOf = (id: string) => places.get(id.split("~")[0]) ?? { colour: 5, shape: 0 };

/** Published figures belong to no library of this run. */
export const PUBLISHED = "published";
let printing = false;
export const isPrinting = () => printing;
export function setPrinting(now: boolean) { printing = now; }
export function isDark(): boolean {
  if (printing) return false;
  const theme = document.documentElement.dataset.theme;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}
export function colour(id: string): string {
  if (id === PUBLISHED) return isDark() ? "#b4b4ae" : "#55524b";
  const palette = isDark() ? DARK : LIGHT;
  return palette[placeOf(id).colour % palette.length];
}
/** The colour of what is no library, by its place in a list. */
export const hue = (place: number) => { const palette = isDark() ? DARK : LIGHT; return palette[place % palette.length]; };
export const shape = (id: string): SymbolType => (id === PUBLISHED ? symbolSquare : SHAPES[placeOf(id).shape % SHAPES.length]);
export const dash = (id: string) => DASHES[Math.floor(placeOf(id).colour / LIGHT.length) % DASHES.length];

const swatch = (id: string) => `<svg viewBox="-7 -7 14 14" aria-hidden="true"><path d="${symbol(shape(id), 70)()}" fill="${colour(id)}"/></svg>`;
export const chip = (id: string) => `<i class="swatch" data-lib="${safe(id)}">${swatch(id)}</i>`;
/** The badge of an algorithm that no new design should use. */
export function standing(primitive: string): string {
  const known = data.primitives[primitive];
  if (!known?.standing || known.standing === "modern") return "";
  return `<span class="badge ${known.standing}" title="${safe(known.why)}">${known.standing}</span>`;
}
/** Fills in the marks of text that was made without this script. */
export function paint(root: ParentNode) {
  for (const node of root.querySelectorAll<HTMLElement>(".swatch[data-lib]")) node.innerHTML = swatch(node.dataset.lib ?? "");
  for (const node of root.querySelectorAll<HTMLElement>("[data-name-lib]")) node.textContent = libraryName(node.dataset.nameLib ?? "");
  for (const node of root.querySelectorAll<HTMLElement>("[data-mark]")) node.outerHTML = ` ${standing(node.dataset.mark ?? "")}`;
}
