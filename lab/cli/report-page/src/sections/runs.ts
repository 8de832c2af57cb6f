// Several runs side by side: what changed between machines, versions or distributions.
import { safe, UNITS, algorithmName, isPerCall, libraryName, size, tick, timeTick, valueIn } from "../format";
import { algorithms, columnAt, libraries, otherRuns, thisRun, type Algorithm, type Cell } from "../data";
import type { Series } from "../charts/lines";
import { addPanel } from "../panels";
import { openAlgorithm } from "../dialog";
import { isShown, settings, sizeFor } from "../settings";
import { drawnLines } from "./lengths";
import { group, section } from "./page";

const key = (cell: { library: string; primitive: string; operation: string; bytes: number }) => `${cell.library} ${cell.primitive} ${cell.operation} ${cell.bytes}`;

export function buildRuns() {
  if (!otherRuns.length) return;
  const found = otherRuns.map((run) => new Map(run.cells.map((cell) => [key(cell), cell])));
  /** The cells of one library at one size in all runs. */
  const inAll = (cell: Cell) => {
    const others = found.map((run) => run.get(key(cell)));
    return others.every((one) => one != null) ? others : null;
  };
  const changeOf = (algorithm: Algorithm) => {
    const changes = [...columnAt(algorithm, sizeFor(algorithm)).values()].flatMap((cell) => inAll(cell)?.map((other) => Math.abs(Math.log((other?.ns.mid ?? Number.NaN) / cell.ns.mid))) ?? []);
    return changes.length ? Math.max(...changes) : -1;
  };
  const list = [...algorithms.values()].filter((one) => one.contract === "hot").map((algorithm) => ({ algorithm, change: changeOf(algorithm) })).filter((one) => one.change >= 0).sort((a, b) => b.change - a.change);
  const runs = [thisRun, ...otherRuns];
  const versions = [...libraries.values()].flatMap((library) => {
    const known = runs.map((run) => run.versions[library.id] ?? "");
    return library.mask || new Set(known.filter(Boolean)).size < 2 ? [] : [`${safe(libraryName(library.id))} ${known.map((version) => safe(version) || "–").join(" → ")}`];
  });
  const made = section("runs", "Runs side by side", "Runs", `${runs.map((run) => `<b>Run ${run.id}</b>: ${safe(run.machine)}, ${safe(run.started)}`).join("; ")}.${versions.length ? ` Other versions: ${versions.join(", ")}.` : ""} Runs are made at different times and under different load: a step that all libraries take is the machine’s.`);
  if (!list.length) { made.insertAdjacentHTML("beforeend", `<p class="empty">The runs have no cell in common.</p>`); return; }
  const grid = group(made, "Throughput in each run", "the largest change first");
  for (const { algorithm } of list) {
    const name = algorithmName(algorithm);
    addPanel(grid, {
      title: safe(name), label: `${name} in several runs`, primitive: algorithm.primitive, open: () => openAlgorithm(algorithm), search: `${algorithm.primitive} ${algorithm.operation} ${name} runs`, height: 250,
      make: (width) => {
        const bytes = sizeFor(algorithm);
        const all = [...columnAt(algorithm, bytes).values()].filter((cell) => isShown(cell.library) && !cell.flags).flatMap((cell): Series[] => {
          const others = inAll(cell);
          if (!others) return [];
          const points = [cell, ...others].map((one, place) => {
            const value = valueIn({ ...cell, ns: one?.ns ?? cell.ns, mhz: one?.mhz ?? null }, settings.unit);
            // The runs stand at equal distances on the logarithmic axis.
            return { x: 2 ** place, low: value.low, mid: value.mid, high: value.high, act: `c${cell.index}`, text: value.text };
          });
          return points.every((point) => Number.isFinite(point.mid)) ? [{ library: cell.library, name: libraryName(cell.library), points }] : [];
        });
        const perCall = [...columnAt(algorithm, bytes).values()].some(isPerCall);
        const unit = perCall ? "time per call, lower is better" : `${UNITS[settings.unit].long}, at ${size(bytes)}`;
        return drawnLines(all, { higher: !perCall && UNITS[settings.unit].higher, height: 230, tick: perCall ? timeTick : tick, xText: (x) => `run ${runs[Math.round(Math.log2(x))]?.id ?? ""}` }, width, unit);
      },
    });
  }
}
