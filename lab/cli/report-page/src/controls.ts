// The filter, the size, the unit, the libraries and the colours.
import { algorithms, cells, data, present } from "./data";
import { UNITS, safe, libraryName, size } from "./format";
import { chip, paint } from "./marks";
import { panels, redrawNear, touch } from "./panels";
import { hint, isInvalid, matches, readFilter } from "./search";
import { lengthenGroups } from "./sections/page";
import { refreshMatrices } from "./sections/rank";
import { filterViews } from "./sections/views";
import { redrawDialog } from "./dialog";
import { isShown, remember, settings } from "./settings";

const element = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const filter = element<HTMLInputElement>("filter"), sizes = element<HTMLSelectElement>("size"), units = element<HTMLSelectElement>("unit");

/** Shows what matches the filter, in every section. A heading without anything below is hidden. */
export function applyFilter() {
  readFilter();
  let visible = 0, all = 0;
  for (const panel of panels) {
    if (panel.keep) continue;
    const isOn = matches(panel.search);
    panel.node.hidden = !isOn;
    all++;
    visible += Number(isOn);
  }
  for (const failure of document.querySelectorAll<HTMLElement>(".failure-group")) failure.hidden = !matches(failure.dataset.search ?? "");
  for (const row of document.querySelectorAll<HTMLElement>("#attacks tbody tr")) row.hidden = !matches(row.textContent ?? "");
  const isFiltered = settings.filter.trim() !== "";
  lengthenGroups(isFiltered);
  refreshMatrices();
  filterViews();
  for (const group of document.querySelectorAll<HTMLElement>("#sections .group")) {
    const parts = [...group.querySelectorAll<HTMLElement>(".panel, .matrix-family")];
    if (parts.length) group.hidden = parts.every((part) => part.hidden);
    if (group instanceof HTMLDetailsElement && isFiltered && !group.hidden) group.open = true;
  }
  for (const section of document.querySelectorAll<HTMLElement>("#sections > section, #failures, #attacks")) {
    const parts = [...section.querySelectorAll<HTMLElement>(".panel, .matrix-family, .failure-group, .attacks tbody tr")].filter((part) => !part.closest("dialog"));
    section.hidden = isFiltered && parts.length > 0 && parts.every((part) => part.hidden);
    const link = document.querySelector<HTMLElement>(`#toc a[href="#${section.id}"]`);
    if (link) link.hidden = section.hidden;
  }
  filter.setAttribute("aria-invalid", String(isInvalid));
  filter.title = isInvalid ? "Not a regular expression; taken as plain text" : "";
  element("matches").textContent = isFiltered ? `${visible} of ${all} charts. ${visible ? "" : hint()}` : "";
  redrawNear();
}
/** Draws everything again, after another unit, size or set of libraries. */
export function changed() {
  touch();
  refreshMatrices();
  redrawDialog();
}
export function recolour() {
  paint(document);
  touch();
  redrawDialog();
}

function countLibraries() {
  const shown = present.filter((library) => isShown(library.id)).length;
  element("libcount").textContent = shown < present.length ? `${shown}/${present.length}` : String(shown);
  for (const box of element("toggles").querySelectorAll("input")) box.checked = isShown(box.value);
}
/** Shows the settings in the fields, after *Back* or in a copied address. */
export function restoreControls() {
  filter.value = settings.filter;
  sizes.value = String(settings.size);
  units.value = settings.unit;
  countLibraries();
  applyFilter();
}
export function setUpControls() {
  const counts = new Map<number, number>();
  for (const algorithm of algorithms.values()) if (algorithm.contract === "hot" && data.operations[algorithm.operation].unit === "B") for (const bytes of algorithm.sizes) if (bytes > 0) counts.set(bytes, (counts.get(bytes) ?? 0) + 1);
  sizes.innerHTML = `<option value="bulk">longest</option>${[...counts.keys()].sort((a, b) => a - b).map((bytes) => `<option value="${bytes}">${size(bytes)}</option>`).join("")}`;
  units.innerHTML = Object.entries(UNITS).filter(([id]) => id !== "cpb" || cells.some((cell) => cell.mhz)).map(([id, unit]) => `<option value="${id}">${unit.name}, ${unit.higher ? "higher" : "lower"} is better</option>`).join("");
  const box = element("toggles"), menu = element<HTMLDetailsElement>("libs");
  box.innerHTML = `${present.map((library) => `<label><input type="checkbox" value="${safe(library.id)}">${chip(library.id)}${safe(libraryName(library.id))}</label>`).join("")}<div class="chips"><button type="button" data-all="1">all</button><button type="button" data-all="">none</button></div>`;
  let timer = 0;
  filter.addEventListener("input", () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => { settings.filter = filter.value; remember(); applyFilter(); }, 120);
  });
  sizes.addEventListener("change", () => { settings.size = sizes.value === "bulk" ? "bulk" : +sizes.value; remember(); changed(); });
  units.addEventListener("change", () => { settings.unit = units.value; remember(); changed(); });
  const choose = (id: string, isOn: boolean) => { if (isOn) settings.hidden.delete(id); else settings.hidden.add(id); };
  box.addEventListener("change", (event) => {
    const input = event.target as HTMLInputElement;
    choose(input.value, input.checked);
    remember(); countLibraries(); changed();
  });
  box.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLElement>("[data-all]");
    if (!button) return;
    for (const library of present) choose(library.id, !!button.dataset.all);
    remember(); countLibraries(); changed();
  });
  document.addEventListener("click", (event) => { if (menu.open && !menu.contains(event.target as Node)) menu.open = false; });
  menu.addEventListener("keydown", (event) => { if (event.key === "Escape") { menu.open = false; menu.querySelector("summary")?.focus(); } });

  const button = element("theme"), root = document.documentElement, themes = ["", "light", "dark"];
  const names: Record<string, string> = { "": "Auto", light: "Light", dark: "Dark" };
  let kept = "";
  try { kept = localStorage.getItem("touchstone-theme") ?? ""; } catch { /* a file opened where storage is off */ }
  const set = (theme: string) => {
    if (theme) root.dataset.theme = theme; else delete root.dataset.theme;
    button.textContent = names[theme];
    button.setAttribute("aria-label", `Colours: ${theme || "as the system"}`);
    try { if (theme) localStorage.setItem("touchstone-theme", theme); else localStorage.removeItem("touchstone-theme"); } catch { /* as above */ }
  };
  set(themes.includes(kept) ? kept : "");
  button.addEventListener("click", () => { set(themes[(themes.indexOf(root.dataset.theme ?? "") + 1) % 3]); recolour(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
}
