// Throughput against message length, and against threads.
import { STRONG, lines, sorted, type LinesOptions, type Series } from "../charts/lines";
import { algorithms, data, type Algorithm } from "../data";
import { openAlgorithm, seriesOf } from "../dialog";
import { PER_CALL, UNITS, algorithmName, contractName, safe, familyName, libraryName, number, axisOf, axisTick, size, tick, timeTick, valueIn } from "../format";
import { addPanel, removePanel, type Drawn, type Panel } from "../panels";
import type { Row } from "../charts/dots";
import { isShown, settings } from "../settings";
import { group, section } from "./page";

/** A drawn chart of lines, with its legend and the values at the end. */
export function drawnLines(list: Series[], options: LinesOptions, width: number, unit: string): Drawn {
  if (!list.length) return {};
  const order = sorted(list, options.higher);
  const rows = order.map((one): Row => {
    const last = one.points[one.points.length - 1];
    return { library: one.library, name: one.name, main: last, text: last.text, act: last.act, tie: false, flag: false };
  });
  const isNamed = width > 420 && order.length <= STRONG;
  return { unit, rows, legend: isNamed ? undefined : order.map((one) => ({ library: one.library, name: one.name })), draw: () => lines(list, options, width) };
}

const searchOf = (algorithm: Algorithm) => `${algorithm.primitive} ${algorithm.operation} ${algorithmName(algorithm)}`;
function lengthPanel(parent: Element, algorithm: Algorithm, { height = 300, isWide = false, search = "" } = {}): Panel {
  const { perCall } = data.operations[algorithm.operation], name = algorithmName(algorithm) + contractName(algorithm.contract);
  return addPanel(parent, {
    title: safe(name), label: `${name} against ${axisOf(algorithm.operation)}`, primitive: algorithm.primitive, open: () => openAlgorithm(algorithm), search: search || searchOf(algorithm),
    height: height + 30, wide: isWide,
    make: (width) => {
      const unit = perCall ? PER_CALL : UNITS[settings.unit];
      return drawnLines(seriesOf(algorithm), { higher: unit.higher, height, tick: perCall ? timeTick : tick, xText: axisTick(algorithm.operation) }, width, `${unit.long}, against ${axisOf(algorithm.operation)}; log–log`);
    },
  });
}
export function buildLengths() {
  const list = [...algorithms.values()].filter((one) => one.contract !== "setup" && one.sizes.filter((bytes) => bytes > 0).length > 1);
  if (!list.length) return;
  const made = section("lengths", "Throughput against length", "Lengths", "Short messages pay for the call, long ones for the bytes; where a line bends, a library changes its kernel. Point at a name to see its line.");
  const families = new Map<string, Algorithm[]>();
  for (const one of list) families.set(one.family, [...(families.get(one.family) ?? []), one]);
  const picker = document.createElement("div");
  picker.className = "picker";
  picker.innerHTML = `<label><span>Algorithm</span> <select>${[...families].map(([family, own]) => `<optgroup label="${safe(familyName(family))}">${own.sort((a, b) => algorithmName(a).localeCompare(algorithmName(b), "en", { numeric: true })).map((one) => {
    const { standing } = data.primitives[one.primitive];
    return `<option value="${safe(one.key)}">${safe(algorithmName(one) + contractName(one.contract))}${standing && standing !== "modern" ? `, ${standing}` : ""}</option>`;
  }).join("")}</optgroup>`).join("")}</select></label>`;
  const place = document.createElement("div"), grid = document.createElement("div"), select = picker.querySelector("select") as HTMLSelectElement;
  made.append(picker, place);
  const wanted = ["aes-256 gcm-encrypt hot", "sha-256 hash hot", "chacha20-poly1305 aead-encrypt hot", "aes-128 ctr-encrypt hot"].find((key) => algorithms.has(key));
  select.value = wanted ?? list[0].key;
  let current: Panel | null = null;
  const pick = () => {
    const algorithm = algorithms.get(select.value);
    if (!algorithm) return;
    if (current) removePanel(current);
    current = lengthPanel(place, algorithm, { height: 380, isWide: true, search: list.map(searchOf).join("\n") });
  };
  select.addEventListener("change", pick);
  pick();
  const broad = list.filter((one) => one.contract === "hot" && !data.operations[one.operation].undoes);
  broad.sort((a, b) => new Set(b.cells.map((cell) => cell.library)).size - new Set(a.cells.map((cell) => cell.library)).size);
  const few = new Map<string, Algorithm>();
  for (const one of broad) if (!few.has(one.family) && one.key !== select.value && few.size < 6) few.set(one.family, one);
  if (few.size < 2) return;
  grid.className = "grid below";
  made.append(grid);
  for (const one of few.values()) lengthPanel(grid, one, { height: 230 });
}

/** The mask of a variant stands in the panel's title. */
const unmasked = (id: string) => libraryName(id.split("~")[0]);
/** An interval of more than this factor between its ends says nothing about threads. */
const TOO_WIDE = 1.5;
export function buildThreads() {
  const list = [...algorithms.values()].filter((one) => one.threads);
  if (!list.length) return;
  const made = section("threads", "Threads", "Threads", "All threads together, each with an object of its own; where scaling is perfect, every doubling of threads doubles the throughput.");
  const grid = group(made, "Throughput against threads");
  for (const algorithm of list) {
    const name = algorithmName(algorithm) + contractName(algorithm.contract);
    const bytes = Math.max(...algorithm.cells.filter((cell) => cell.threads > 1).map((cell) => cell.bytes));
    addPanel(grid, {
      title: safe(name), label: `${name} against threads`, primitive: algorithm.primitive, open: () => openAlgorithm(algorithm), search: `${algorithm.primitive} ${algorithm.operation} ${name} threads`, height: 250,
      make: (width) => {
        const found = new Map<string, Series>(), leftOut = new Set<string>();
        for (const cell of algorithm.cells) {
          if (cell.bytes !== bytes || !isShown(cell.library)) continue;
          const value = valueIn(cell, settings.unit);
          if (cell.flags || value.few || value.high / value.low > TOO_WIDE) { leftOut.add(unmasked(cell.library)); continue; }
          let own = found.get(cell.library);
          if (!own) { own = { library: cell.library, name: unmasked(cell.library), points: [] }; found.set(cell.library, own); }
          // A cell's time is the wall time divided by the number of calls of all threads.
          own.points.push({ x: cell.threads, low: value.low, mid: value.mid, high: value.high, act: `c${cell.index}`, text: number(value.mid) });
        }
        const all = [...found.values()].filter((one) => one.points.length > 1);
        for (const one of all) one.points.sort((a, b) => a.x - b.x);
        const missing = leftOut.size ? `; too uncertain to be drawn (an interval wider than ${TOO_WIDE}×): ${[...leftOut].join(", ")}` : "";
        const made = drawnLines(all, { higher: UNITS[settings.unit].higher, height: 230, tick, xText: String }, width, `${UNITS[settings.unit].name} of ${size(bytes)} messages against threads, ${UNITS[settings.unit].higher ? "higher" : "lower"} is better${missing}`);
        return all.length ? made : { empty: leftOut.size ? `No library has two values that are certain enough to be drawn: ${[...leftOut].join(", ")}.` : undefined };
      },
    });
  }
}
