// Views: tables that earlier work published, made anew from this run.
import { dots, type Row } from "../charts/dots";
import { cells, exhibits, peers, tiesOf, type Exhibit, type ExhibitRow } from "../data";
import { algorithmName, safe, primitiveName, sizeTick, spread, tick } from "../format";
import { PUBLISHED, chip, standing } from "../marks";
import { addPanel, fold } from "../panels";
import { matches } from "../search";
import { isShown } from "../settings";
import { drawnLines } from "./lengths";

const unitOf = (exhibit: Exhibit) => `${exhibit.unit}, ${exhibit.more ? "higher" : "lower"} is better`;
const searchOf = (view: string, row: ExhibitRow, label: string) => {
  const index = row.figures.find((figure) => figure.cell != null)?.cell, cell = index == null ? null : cells[index];
  return `${cell ? `${cell.primitive} ${cell.operation} ${algorithmName(cell)}` : `${row.primitive} ${primitiveName(row.primitive)}`} ${label} ${view}`;
};

function table(view: string, exhibit: Exhibit): string {
  const head = exhibit.columns.map((column) => `<th scope="col" class="${column.number ? "n" : ""}${column.published ? " then" : ""}">${column.library ? chip(column.library) : ""}${safe(column.heading)}</th>`).join("");
  const body = exhibit.rows.map((row) => `<tr${row.published ? ` class="then"` : ""} data-search="${safe(searchOf(view, row, row.figures[0]?.text ?? ""))}">${row.figures.map((figure, place) => {
    const column = exhibit.columns[place];
    if (place === 0) return `<th scope="row">${row.library ? chip(row.library) : ""}${safe(figure.text)}${row.primitive ? ` ${standing(row.primitive)}` : ""}</th>`;
    return `<td class="${column.number ? "n" : ""}${column.published ? " then" : ""}">${figure.cell == null ? safe(figure.text) : `<button type="button" class="link" data-act="c${figure.cell}">${safe(figure.text)}</button>`}</td>`;
  }).join("")}</tr>`).join("");
  return `<div class="scroll" tabindex="0" role="region" aria-label="${safe(exhibit.title)}"><table class="exhibit"><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** Fills in a view when it is opened: its tables and charts are many. */
function fill(details: HTMLDetailsElement) {
  const view = details.dataset.view ?? "", place = details.querySelector(".exhibits");
  if (!place || place.childElementCount) return;
  for (const exhibit of exhibits(view)) {
    place.insertAdjacentHTML("beforeend", `<div class="one-exhibit"><h3>${safe(exhibit.title)}</h3>${exhibit.rows.length ? table(view, exhibit) : `<p class="empty">Nothing of this was measured in this run.</p>`}${exhibit.note ? `<p class="fine">${safe(exhibit.note)}</p>` : ""}</div>`);
    if (exhibit.chart === "none" || !exhibit.rows.length) continue;
    const grid = document.createElement("div");
    grid.className = "grid";
    place.lastElementChild?.append(grid);
    if (exhibit.chart === "panels") drawPanels(grid, view, exhibit); else drawLines(grid, view, exhibit);
  }
  filterView(details);
}
function drawPanels(grid: Element, view: string, exhibit: Exhibit) {
  for (const row of exhibit.rows.filter((one) => one.figures.some((figure) => figure.value))) {
    const label = row.figures[0].text;
    addPanel(grid, {
      title: safe(label), label: `${label}, ${exhibit.title}`, primitive: row.primitive, search: searchOf(view, row, label), rows: row.figures.filter((figure) => figure.value).length,
      make: (width, panel) => {
        const all = exhibit.columns.flatMap((column, place): Row[] => {
          const figure = row.figures[place], { value } = figure;
          if (!value || !(column.published || (column.library && isShown(column.library)))) return [];
          const cell = figure.cell == null ? null : cells[figure.cell];
          return [{
            library: column.published ? PUBLISHED : column.library, name: column.heading, main: value, text: figure.text.replace("⚑", ""), note: cell ? spread(value) : "published",
            act: cell ? `c${cell.index}` : null, tie: !!cell && !figure.flagged && tiesOf(peers(cell)).includes(cell), flag: figure.flagged,
          }];
        }).sort((a, b) => (exhibit.more ? b.main.mid - a.main.mid : a.main.mid - b.main.mid));
        if (!all.length) return {};
        const { rows, folded } = fold(all, panel);
        return { rows: all, folded, unit: unitOf(exhibit), draw: () => dots(rows, { tick }, width) };
      },
    });
  }
}
function drawLines(grid: Element, view: string, exhibit: Exhibit) {
  addPanel(grid, {
    title: safe(exhibit.title.split(":")[0]), label: exhibit.title, primitive: exhibit.rows[0]?.primitive, search: searchOf(view, exhibit.rows[0], exhibit.title), height: 340, wide: true,
    make: (width) => {
      const list = exhibit.columns.map((column, place) => ({
        library: column.library, name: column.heading,
        points: exhibit.rows.flatMap((row) => {
          const { value, text, cell } = row.figures[place];
          return value && row.x != null ? [{ x: row.x, ...value, text, act: cell == null ? null : `c${cell}` }] : [];
        }),
      })).filter((one) => one.library && isShown(one.library) && one.points.length);
      return drawnLines(list, { higher: exhibit.more, tick, xText: sizeTick }, width, `${unitOf(exhibit)}; both axes logarithmic`);
    },
  });
}
/** Hides the rows and exhibits of a view that the filter does not match. */
function filterView(details: HTMLDetailsElement) {
  for (const exhibit of details.querySelectorAll<HTMLElement>(".one-exhibit")) {
    const rows = [...exhibit.querySelectorAll<HTMLElement>("tr[data-search]")];
    for (const row of rows) row.hidden = !matches(row.dataset.search ?? "");
    exhibit.hidden = rows.length > 0 && rows.every((row) => row.hidden);
  }
}
export function filterViews() {
  for (const details of document.querySelectorAll<HTMLDetailsElement>("details.view")) filterView(details);
}
/** Opens all views, with what is in them. */
export function openViews() {
  for (const details of document.querySelectorAll<HTMLDetailsElement>("details.view")) { details.open = true; fill(details); }
}
export function buildViews() {
  for (const details of document.querySelectorAll<HTMLDetailsElement>("details.view")) {
    details.addEventListener("toggle", () => { if (details.open) fill(details); });
    if (details.open) fill(details);
  }
}
