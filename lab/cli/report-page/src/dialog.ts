// The dialog: an algorithm, a cell with its raw samples, a library.
import { mount } from "./charts/chart";
import { lines, type Series } from "./charts/lines";
import { sampleChart } from "./charts/samples";
import {
  algorithmKey, algorithms, cells, columnAt, costs, data, failures, libraries, peers, ranks, represented, samplesOf, spreadOf, tiesOf, vagueOf, verification,
  type Algorithm, type Cell,
} from "./data";
import {
  PER_CALL, UNITS, algorithmName, contractName, safe, isPerCall, libraryName, number, operationName, primitiveName, rankedAlgorithm, rankedName, size, axisOf, sizeText, axisTick,
  spread, tick, time, timeTick, times, valueIn, whole,
} from "./format";
import { chip, standing } from "./marks";
import { standings } from "./sections/standings";
import { isShown, place, rememberOpened, settings, sizeFor } from "./settings";
import { hideTip, memory, pairs } from "./tooltip";

const dialog = document.getElementById("dialog") as HTMLDialogElement, body = document.getElementById("dialog-body") as HTMLElement;
const heading = document.getElementById("dialog-title") as HTMLElement, crumbs = document.getElementById("crumbs") as HTMLElement;
let redrawShown: (() => void) | null = null, opener: Element | null = null;

export const redrawDialog = () => redrawShown?.();
function show(what: string, title: string, path: string[], html: string, draw: (() => void) | null = null) {
  heading.innerHTML = title;
  crumbs.innerHTML = [`<button type="button" class="link" data-go="rank">Rank</button>`, ...path].join(" › ");
  body.innerHTML = html;
  redrawShown = draw;
  if (!dialog.open) { opener = document.activeElement; dialog.showModal(); }
  dialog.scrollTop = 0;
  heading.focus({ preventScroll: true });
  draw?.();
  rememberOpened(what);
}
dialog.addEventListener("close", () => {
  hideTip();
  document.body.append(document.getElementById("tip") as HTMLElement);
  body.innerHTML = "";
  redrawShown = null;
  rememberOpened("");
  if (opener?.isConnected && opener !== document.body) (opener as HTMLElement).focus({ preventScroll: true });
});
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
document.getElementById("close")?.addEventListener("click", () => dialog.close());

const algorithmLink = (algorithm: Algorithm, text = algorithmName(algorithm)) => `<button type="button" class="link" data-alg="${safe(algorithm.key)}">${safe(text)}</button>`;
const scroll = (label: string, table: string) => `<div class="scroll" tabindex="0" role="region" aria-label="${safe(label)}"><table>${table}</table></div>`;

/** The lines of an algorithm's cost against length, one for each library. */
export function seriesOf(algorithm: Algorithm): Series[] {
  const found = new Map<string, Series>();
  for (const cell of algorithm.cells) {
    if (cell.threads !== 1 || !isShown(cell.library) || cell.bytes === 0 || cell.flags) continue;
    const value = valueIn(cell, settings.unit);
    if (!Number.isFinite(value.mid)) continue;
    let own = found.get(cell.library);
    if (!own) { own = { library: cell.library, name: libraryName(cell.library), points: [] }; found.set(cell.library, own); }
    own.points.push({ x: cell.bytes, low: value.low, mid: value.mid, high: value.high, act: `c${cell.index}`, text: value.text });
  }
  for (const one of found.values()) one.points.sort((a, b) => a.x - b.x);
  return [...found.values()];
}
function stateOf(cell: Cell): string {
  if (cell.flags) return ` <span class="badge flag">⚑</span>`;
  if (tiesOf(peers(cell)).includes(cell)) return ` <span class="badge tie">= tie</span>`;
  if (vagueOf(peers(cell)).includes(cell)) return ` <span class="badge">? uncertain</span>`;
  return ` <span class="fine">${cell.ratio.mid <= 1 ? "best" : times(cell.ratio.mid)}</span>`;
}
export const cellButton = (cell: Cell) => `<button type="button" class="link" data-act="c${cell.index}">${safe(valueIn(cell, settings.unit).text)}</button>${stateOf(cell)}`;

export function openAlgorithm(algorithm: Algorithm) {
  const at = sizeFor(algorithm), last = columnAt(algorithm, at);
  const ids = [...new Set(algorithm.cells.filter((cell) => cell.threads === 1).map((cell) => cell.library))];
  ids.sort((a, b) => (last.get(a)?.ns.mid ?? Number.POSITIVE_INFINITY) - (last.get(b)?.ns.mid ?? Number.POSITIVE_INFINITY));
  const perCall = algorithm.cells.every(isPerCall), unit = perCall ? PER_CALL : UNITS[settings.unit], known = data.primitives[algorithm.primitive];
  const columns = algorithm.sizes.map((bytes) => columnAt(algorithm, bytes));
  const table = scroll("Cells", `<thead><tr><th scope="col">Library</th>${algorithm.sizes.map((bytes) => `<th scope="col" class="n">${bytes ? sizeText(algorithm.operation, bytes) : "per call"}</th>`).join("")}</tr></thead><tbody>${ids.map((id) =>
    `<tr><th scope="row">${chip(id)}<button type="button" class="link" data-open-lib="${safe(id)}">${safe(libraryName(id))}</button></th>${columns.map((column) => { const cell = column.get(id); return `<td class="n">${cell ? cellButton(cell) : "·"}</td>`; }).join("")}</tr>`).join("")}</tbody>`);
  const model = costs.filter((cost) => cost.primitive === algorithm.primitive && cost.operation === algorithm.operation).sort((a, b) => a.slope.mid - b.slope.mid);
  const bound = (slope: number) => { const mhz = data.mhz?.[1]; return mhz ? number((slope * mhz) / 1000) : "–"; };
  const fit = model.length && algorithm.contract === "hot" && !perCall ? `<h3>Cost model</h3><p class="fine">time = per message + per byte × length, over the measured sizes; lower is better. The misfit is the largest distance of a measured size from the line.</p>${
    scroll("Cost model", `<thead><tr><th scope="col">Library</th><th scope="col" class="n">ns per byte</th><th scope="col" class="n">cycles per byte</th><th scope="col" class="n">per message</th><th scope="col" class="n">misfit</th><th scope="col" class="n">key set-up</th><th scope="col" class="n">in bytes</th></tr></thead><tbody>${model.map((cost) =>
      `<tr><th scope="row">${chip(cost.library)}${safe(libraryName(cost.library))}</th><td class="n">${number(cost.slope.mid)} <span class="fine">${spread(cost.slope)}</span></td><td class="n">${bound(cost.slope.mid)}</td><td class="n">${time(cost.intercept.mid)} <span class="fine">${spread(cost.intercept)}</span></td><td class="n">${number(cost.misfit * 100)} %</td><td class="n">${cost.setup ? time(cost.setup.mid) : "–"}</td><td class="n">${cost.setupBytes ? size(Math.round(cost.setupBytes.mid)) : "–"}</td></tr>`).join("")}</tbody>`)}` : "";
  const curve = algorithm.sizes.filter((bytes) => bytes > 0).length > 1;
  const others = [...algorithms.values()].filter((other) => other.primitive === algorithm.primitive && other !== algorithm);
  show(`a${algorithm.key}`, `${safe(algorithmName(algorithm))}${standing(algorithm.primitive)}`, [safe(algorithmName(algorithm))],
    `${known?.why ? `<p class="section-note">${safe(known.why)}</p>` : ""}<p class="fine">Contract <b>${safe(algorithm.contract)}</b>. ${known?.cost ? `Cost: ${safe(known.cost)}. ` : ""}${safe(unit.long)}. Choose a number for its cell and raw samples.</p>${table}${
      curve ? `<p class="fine">Against ${axisOf(algorithm.operation)}, log–log; the eight fastest are drawn strongly:</p><div class="chart" id="dialog-chart"></div>` : ""}${fit}${
      others.length ? `<h3>The same primitive</h3><p class="chips">${others.map((other) => `<button type="button" data-alg="${safe(other.key)}">${safe(operationName(other.operation) + contractName(other.contract))}</button>`).join("")}</p>` : ""}`,
    curve ? () => {
      const node = document.getElementById("dialog-chart"), all = seriesOf(algorithm);
      if (node && all.length) mount(node, lines(all, { higher: unit.higher, height: 290, tick: perCall ? timeTick : tick, xText: axisTick(algorithm.operation) }, node.clientWidth), `${algorithmName(algorithm)} against ${axisOf(algorithm.operation)}`);
    } : null);
}

export function openCell(cell: Cell) {
  const algorithm = algorithms.get(algorithmKey(cell.primitive, cell.operation, cell.contract)) as Algorithm;
  const value = valueIn(cell, settings.unit), perCall = value.unit === PER_CALL, text = perCall ? time : number, unit = perCall ? "" : ` ${value.unit.name}`;
  const proof = verification.filter((row) => row.library === cell.library && row.primitive === cell.primitive && row.operation === cell.operation);
  const bad = failures.filter((one) => one.library === cell.library && one.primitive === cell.primitive && one.operation === cell.operation);
  const known = data.primitives[cell.primitive], samples = samplesOf(cell), { fastest, quarter, threeQuarters } = spreadOf(cell);
  const stand = cell.flags ? `<span class="badge flag">⚑ not ranked</span>` : tiesOf(peers(cell)).includes(cell) ? `<span class="badge tie">= tie</span> with the best` : vagueOf(peers(cell)).includes(cell) ? `<span class="badge">? uncertain</span> ${times(cell.ratio.mid)} the best library’s time, but between ${number(cell.ratio.low)} and ${number(cell.ratio.high)}` : cell.ratio.mid <= 1 ? "the best" : `${times(cell.ratio.mid)} the best library’s time (${number(cell.ratio.low)} to ${number(cell.ratio.high)})`;
  const others = algorithm.cells.filter((other) => other.library === cell.library && other !== cell).sort((a, b) => a.bytes - b.bytes || a.threads - b.threads);
  const proofs = proof.map((row) => pairs([
    ["right", String(row.passed)], ["wrong", row.failed ? `<b class="bad">${row.failed}</b>` : "0"], ["either way", row.acceptable], ["not taken", row.unsupported],
    ["agreed", row.passed + row.failed + row.acceptable === 0 ? `${row.agreed} other libraries (no published answer)` : row.agreed], ["disagreed", row.disagreed],
    ["constant time", row.constantTime == null ? "" : row.constantTime ? "stated by its documentation" : "not stated"],
    ["sources", row.sources.split("\n").map((source) => `<code>${safe(source)}</code>`).join("<br>")],
  ].map(([term, words]) => [term, words || null] as [string, string | null]))).join("");
  const { object, key, message } = cell.first;
  const cycles = !isPerCall(cell) && cell.mhz ? `, ${number((cell.ns.mid * cell.mhz) / 1000 / cell.bytes)} cycles per byte` : "";
  show(`c${cell.index}`, `${chip(cell.library)}${safe(libraryName(cell.library))}: ${safe(algorithmName(cell))}${standing(cell.primitive)}`, [algorithmLink(algorithm), `${safe(libraryName(cell.library))}, ${cell.bytes ? sizeText(cell.operation, cell.bytes) : "per call"}`],
    `${known?.why ? `<p class="section-note">${safe(known.why)}</p>` : ""}
    <p class="big"><b>${safe(value.text)}</b>${unit} ${spread(value)} <span class="fine">${safe(value.unit.long)}</span></p><p>${stand}</p>
    <div class="two"><div><h3>How it was called</h3><dl class="pairs">${pairs([["contract", safe(cell.contract)], ["cost", safe(known?.cost ?? "")], ["size", cell.bytes ? sizeText(cell.operation, cell.bytes) : "none: key set-up alone"], ["threads", cell.threads], ["API", `<code>${safe(cell.api)}</code>`], ["kernel", safe(cell.kernel) || "not told"], ["remark", safe(cell.note)]])}</dl>
    <h3>Verified</h3><dl class="pairs">${proofs || "<dt>–</dt><dd>no row in this run</dd>"}</dl>${bad.map((one) => `<p><a href="#failure-${one.index}" data-leave class="bad">${safe(one.kind)}: see the failure</a></p>`).join("")}</div>
    <div><h3>How it was measured</h3><dl class="pairs">${pairs([["per call", cell.ns.few ? time(cell.ns.mid) : `${time(cell.ns.mid)} (${number(cell.ns.low)} to ${number(cell.ns.high)} ns)`], ["95 % interval", cell.ns.few ? "too few rounds" : `${text(value.low)} to ${text(value.high)}${unit}`], ["fastest", time(fastest)], ["quartiles", `${time(quarter)}, ${time(threeQuarters)}`], ["rounds", `${cell.rounds}, stopped: ${cell.stop === "narrow" ? "interval narrow enough" : cell.stop === "budget" ? "time was out" : safe(cell.stop)}`], ["calls a sample", whole(cell.calls)], ["clock", cell.mhz ? `${number(cell.mhz)} MHz${cycles}` : "not known"], ["first calls", object + key + message > 0 && `object ${time(object)}, key ${time(key)}, message ${time(message)}`], ["flags", cell.flags && `<span class="badge flag">⚑</span> ${safe(cell.flags)}`]])}</dl></div></div>
    <h3>Raw samples</h3>${samples.length ? `<p class="fine">ns per call in round order, lower is better; line: median, dark band: its 95 % interval, light band: quartiles.${data.stride > 1 ? ` One sample in ${data.stride} is in this page; the store has all.` : ""}</p><div class="chart" id="dialog-chart"></div><details class="values"><summary>Values</summary><p class="fine">${samples.map((one) => +one.toPrecision(6)).join(", ")} ns</p></details>` : `<p class="fine">This page has no samples of this cell.</p>`}
    ${others.length ? `<h3>Other sizes</h3><p class="chips">${others.map((other) => `<button type="button" data-act="c${other.index}">${other.bytes ? sizeText(other.operation, other.bytes) : "per call"}${other.threads > 1 ? `, ${other.threads} threads` : ""}</button>`).join("")}</p>` : ""}`,
    samples.length ? () => {
      const node = document.getElementById("dialog-chart");
      if (node) mount(node, sampleChart(cell, node.clientWidth), `Raw samples of ${libraryName(cell.library)}, ${algorithmName(cell)}`);
    } : null);
}

export function openLibrary(id: string) {
  const library = libraries.get(id);
  if (!library) return;
  const own = ranks.filter((rank) => rank.library === id).sort((a, b) => a.rank.mid - b.rank.mid || a.algorithm.localeCompare(b.algorithm));
  const firsts = new Map<string, number>();
  for (const rank of ranks) if (rank.band === 1) firsts.set(rank.algorithm, (firsts.get(rank.algorithm) ?? 0) + 1);
  const bad = failures.filter((one) => one.library === id), by = represented.get(id);
  show(`l${id}`, `${chip(id)}${safe(libraryName(id))} <span class="version">${safe(library.version)}</span>`, [safe(libraryName(id))], `<dl class="pairs">${pairs([
    ...standings(id), ["ranked", by && `as ${safe(libraryName(by))} ${safe(libraries.get(by)?.version ?? "")}, another version or build of the same library`],
    ["language", safe(library.language)], ["licence", safe(library.licence)], ["object", library.path ? `<code>${safe(library.path)}</code>` : "linked into its worker"], ["uses", safe(library.features)], ["note", safe(library.note)],
    ["start", library.start_ms != null && `${number(library.start_ms)} ms`], ["memory", library.peak_kib != null && `${memory(library.peak_kib)} over an empty worker`],
    ["code, tables", library.code_bytes != null && `${size(library.code_bytes)}, ${library.table_bytes != null ? size(library.table_bytes) : "–"}`],
    ["failures", bad.map((one) => `<a href="#failure-${one.index}" data-leave class="bad">${safe(one.kind)}${one.primitive ? `, ${safe(primitiveName(one.primitive))}` : ""}</a>`).join("<br>")],
  ])}</dl>${own.length ? `<h3>By algorithm</h3>${scroll("Algorithms", `<thead><tr><th scope="col">Algorithm</th><th scope="col" class="n">times the best</th><th scope="col">95 % interval</th><th scope="col">state</th></tr></thead><tbody>${own.map((rank) => {
    const algorithm = rankedAlgorithm(rank.algorithm), name = rankedName(rank.algorithm);
    return `<tr><th scope="row">${algorithm ? algorithmLink(algorithm, name) : safe(name)} ${standing(rank.algorithm.split(" ")[0])}</th><td class="n">${times(rank.rank.mid)}</td><td>${number(rank.rank.low)} to ${number(rank.rank.high)}</td><td>${rank.band === 1 ? ((firsts.get(rank.algorithm) ?? 0) > 1 ? `<span class="badge tie">= tie</span>` : "first") : ""}</td></tr>`;
  }).join("")}</tbody>`)}` : ""}`);
}

/** Opens what an action names: `c` a cell, `a` an algorithm, `l` a library. */
export function open(act: string) {
  const what = act.slice(1);
  if (act[0] === "c" && cells[+what]) openCell(cells[+what]);
  else if (act[0] === "l") openLibrary(what);
  else if (act[0] === "a") { const found = algorithms.get(what); if (found) openAlgorithm(found); }
}
/** Shows what the page's address names, after *Back* or in a copied address. */
export function restoreDialog() {
  const { opened } = place();
  if (opened) open(opened);
  else if (dialog.open) dialog.close();
}

/** Follows a link: to a section of the page, with what stands above it drawn. */
export type Jump = (id: string) => void;
export function listenForOpening(jump: Jump) {
  document.addEventListener("click", (event) => {
    const target = (event.target as Element).closest<HTMLElement | SVGElement>("[data-act], [data-alg], [data-open-lib], [data-go], [data-leave]");
    if (!target) return;
    const { libCell, act, alg, openLib, go } = target.dataset;
    const algorithm = alg ? algorithms.get(alg) : undefined;
    if (libCell) {
      const cell = algorithm && columnAt(algorithm, sizeFor(algorithm)).get(libCell);
      if (cell) openCell(cell); else if (algorithm) openAlgorithm(algorithm);
    } else if (act) { hideTip(); open(act); } else if (algorithm) openAlgorithm(algorithm);
    else if (openLib) openLibrary(openLib);
    else {
      opener = null;
      dialog.close();
      if (go) jump(go);
    }
  });
}
