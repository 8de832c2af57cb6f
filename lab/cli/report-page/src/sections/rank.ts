// Ranks: over families, over algorithms, and between pairs.
import { dots, type Row } from "../charts/dots";
import { data, interval, isVague, present, ranks, represented, type PaperRow, type Quadrant, type RankGroup, type RankRow } from "../data";
import { safe, familyName, libraryName, number, rankedAlgorithm, rankedName, times, versioned } from "../format";
import { chip, standing } from "../marks";
import { addPanel, fold } from "../panels";
import { isFiltering, matches } from "../search";
import { isShown } from "../settings";
import { group, section } from "./page";
import { quadrantName } from "./standings";

/** The interval of a rank is for another choice of algorithms, so that it is wide. */
const TOO_WIDE = 10;

type Ranked = RankRow & { of: number };
const rowsOf = (ranked: RankGroup): Ranked[] => ranked.rows.map((row) => ({ ...row, of: ranked.algorithms }));

function chartRows(list: Ranked[]): Row[] {
  const isTie = (row: Ranked) => row.band === 1 && list.filter((other) => other.band === 1 && other.part === row.part).length > 1;
  const rows = list.filter((row) => isShown(row.library) && row.part === 1).map((row): Row => {
    const ratio = interval(row.ratio);
    const vague = isTie(row) && row !== list[0] && isVague(ratio, TOO_WIDE);
    return { library: row.library, name: versioned(row.library), main: ratio, text: row.narrow ? `(${times(ratio.mid)})` : times(ratio.mid), note: `${row.algorithms}/${row.of}`, act: `l${row.library}`, tie: isTie(row) && !vague, flag: false, vague };
  });
  // The leader alone is no band.
  if (rows.filter((row) => row.tie).length < 2) for (const row of rows) row.tie = false;
  return rows;
}
function rankPanel(parent: Element, title: string, list: Ranked[], { search = "", always = false } = {}) {
  if (!list.length) return;
  addPanel(parent, {
    title, label: title, search: `rank ${title} ${search}`, rows: list.length, heads: ["ratio"], keep: always,
    make: (width, panel) => {
      const all = chartRows(list);
      if (!all.length) return {};
      const { rows, folded } = fold(all, panel);
      return { rows: all, folded, unit: `times the leader’s time, lower is better${all.some((row) => row.vague) ? "; ? too few algorithms to say" : ""}`, draw: () => dots(rows, { from: 1, names: rows.map((row) => row.name), tick: (value) => `${+value.toPrecision(3)}×` }, width) };
    },
  });
}

/** The level of heat of a ratio: 0 for 1, 8 for 16 and more. */
export const heat = (ratio: number) => Math.min(8, Math.max(0, Math.round(Math.log2(ratio) * 2)));

/** The row's library's time divided by the column's, over algorithms that both have. */
function pairs(quadrant: Quadrant): string {
  const ids = quadrant.overall.rows.map((row) => row.library), found = new Map(quadrant.pairs.map((pair) => [`${pair.row} ${pair.column}`, pair]));
  return `<div class="scroll" tabindex="0" role="region" aria-label="Pairs: ${safe(quadrantName(quadrant))}"><table class="matrix"><thead><tr><th scope="col">Library</th>${ids.map((id) => `<th scope="col" class="n">${chip(id)}${safe(libraryName(id))}</th>`).join("")}</tr></thead><tbody>${ids.map((row) => `<tr><th scope="row">${chip(row)}${safe(versioned(row))}</th>${ids.map((column) => {
    const pair = found.get(`${row} ${column}`);
    return pair ? `<td class="n" title="${safe(`${libraryName(row)} over ${libraryName(column)}, ${pair.shared} shared algorithms`)}">${number(pair.ratio)} <span class="fine">${pair.shared}</span></td>` : `<td class="none" title="nothing shared">·</td>`;
  }).join("")}</tr>`).join("")}</tbody></table></div>`;
}

export function buildRank() {
  const overall = document.getElementById("overall") as HTMLElement;
  overall.innerHTML = `<h2>Time over the leading library’s</h2><p class="section-note">By a model that compares only what libraries share; at the right the number of algorithms of those compared. Lines are 95 % intervals for another choice of algorithms. In brackets, after the others: less than a quarter of the algorithms. Rows on one band cannot be told from the leader. Choose a row to see what it is made of.</p><div class="grid"></div>`;
  for (const quadrant of data.headline.quadrants) if (quadrant.length === "short" || quadrant.length === "bulk") rankPanel(overall.lastElementChild as Element, `Over all families: ${quadrantName(quadrant)}`, rowsOf(quadrant.overall), { always: true });
  const made = section("rank", "Rank by family and algorithm", "Rank", "Hot cells on one thread. Modern and legacy algorithms are ranked apart, and so are short and long messages. Choose a library, an algorithm or a number to go down to its raw samples.");
  buildMatrices(made);
  for (const quadrant of data.headline.quadrants) {
    const grid = group(made, quadrantName(quadrant), `${quadrant.overall.algorithms} algorithms`);
    for (const family of quadrant.families) rankPanel(grid, safe(familyName(family.family)), rowsOf(family), { search: `${family.family} ${quadrantName(quadrant)}` });
  }
  for (const quadrant of data.headline.quadrants) {
    const details = document.createElement("details");
    details.className = "more pairs-matrix";
    details.innerHTML = `<summary>Pairs: ${safe(quadrantName(quadrant))}</summary><p class="section-note">The row’s time over the column’s: geometric mean over the algorithms that both have, whose number stands behind it. Below 1 the row’s library is faster.</p>`;
    details.addEventListener("toggle", () => { if (details.open && !details.querySelector("table")) details.insertAdjacentHTML("beforeend", pairs(quadrant)); });
    made.append(details);
  }
  const paper = (list: PaperRow[]): Ranked[] => list.map((row) => ({ ...row, ratio: row.present, part: 1, band: row.narrow ? 0 : row.band }));
  const grid = group(made, "RANK, the paper’s view", "after Aulov and Gorbenko (2012): means over whatever each library has, which need not be comparable", true);
  rankPanel(grid, "RANK over everything", paper(data.overall), { search: "paper" });
  for (const [family, list] of data.families) rankPanel(grid, `RANK: ${safe(familyName(family))}`, paper(list), { search: `paper ${family}` });
}

function buildMatrices(parent: Element) {
  const box = document.createElement("div");
  box.className = "group";
  box.innerHTML = `<h3>By algorithm<small>times the best library’s, 1 is best, lower is better; libraries in the order of their means, algorithms by the number of libraries</small></h3>`;
  parent.append(box);
  [...new Set(ranks.map((rank) => rank.family))].forEach((family, place) => {
    const details = document.createElement("details");
    details.className = "more matrix-family";
    details.dataset.family = family;
    details.innerHTML = `<summary></summary><div class="scroll" tabindex="0" role="region" aria-label="Ranks: ${safe(familyName(family))}"></div>`;
    details.addEventListener("toggle", () => { if (details.open) fillMatrix(details); });
    box.append(details);
    details.open = place === 0;
  });
}
/** The libraries that stand for all their versions and builds. */
export const representatives = present.map((library) => library.id).filter((id) => !represented.has(id));
function fillMatrix(details: HTMLDetailsElement) {
  const family = details.dataset.family ?? "", rows = ranks.filter((rank) => rank.family === family);
  const byAlgorithm = new Map<string, Map<string, (typeof rows)[0]>>();
  for (const row of rows) byAlgorithm.set(row.algorithm, (byAlgorithm.get(row.algorithm) ?? new Map()).set(row.library, row));
  const list = [...byAlgorithm].filter(([name]) => matches(name, rankedName(name))).sort((a, b) => b[1].size - a[1].size || a[0].localeCompare(b[0], "en", { numeric: true }));
  (details.querySelector("summary") as HTMLElement).textContent = `${familyName(family)}: ${list.length} algorithm${list.length === 1 ? "" : "s"}`;
  details.hidden = !list.length;
  if (isFiltering() && list.length) details.open = true;
  if (!details.open) return;
  // The mean is over the algorithms that are shown; a library with few of them comes later.
  const score = (id: string) => {
    const own = list.flatMap(([, found]) => found.get(id)?.rank.mid ?? []);
    return own.length ? Math.exp(own.reduce((sum, ratio) => sum + Math.log(ratio), 0) / own.length) * (own.length * 4 < list.length ? 1000 : 1) : Number.NaN;
  };
  const ids = present.map((library) => library.id).filter((id) => isShown(id) && score(id) > 0).sort((a, b) => score(a) - score(b));
  (details.querySelector("div") as HTMLElement).innerHTML = `<table class="matrix"><thead><tr><th scope="col">Algorithm</th>${ids.map((id) => `<th scope="col" class="n">${chip(id)}${safe(libraryName(id))}</th>`).join("")}</tr></thead><tbody>${list.map(([name, found]) => {
    const key = safe(rankedAlgorithm(name)?.key ?? ""), ties = [...found.values()].filter((row) => row.band === 1).length;
    return `<tr><th scope="row"><button type="button" class="link" data-alg="${key}">${safe(rankedName(name))}</button> ${standing(name.split(" ")[0])}</th>${ids.map((id) => {
      const row = found.get(id);
      if (!row) return `<td class="none" title="not offered, or not ranked">·</td>`;
      const isTie = row.band === 1 && ties > 1 && !isVague(row.rank);
      return `<td class="heat${heat(row.rank.mid)}"><button type="button" data-alg="${key}" data-lib-cell="${safe(id)}" title="${safe(`${libraryName(id)}: ${number(row.rank.low)} to ${number(row.rank.high)}, place band ${row.band}, ${Math.round(row.coverage * 100)} % of the sizes`)}">${isTie ? "= " : ""}${times(row.rank.mid)}</button></td>`;
    }).join("")}</tr>`;
  }).join("")}</tbody></table>`;
}
export function refreshMatrices() {
  for (const details of document.querySelectorAll<HTMLDetailsElement>(".matrix-family")) fillMatrix(details);
}
