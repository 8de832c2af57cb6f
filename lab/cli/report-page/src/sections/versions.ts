// Versions of one library in one run: what the newer one changed.
import type { Series } from "../charts/lines";
import { algorithms, columnAt, libraries, represented, type Algorithm, type Cell } from "../data";
import { openAlgorithm } from "../dialog";
import { UNITS, algorithmName, isPerCall, libraryName, safe, sizeText, tick, timeTick, times, valueIn } from "../format";
import { addPanel } from "../panels";
import { isShown, settings, sizeFor } from "../settings";
import { drawnLines } from "./lengths";
import { group, section } from "./page";

/** Pairs of versions, the older one first. Other builds of a library are no versions. */
const pairs = [...represented].filter(([old, now]) => {
  const [a, b] = [libraries.get(old), libraries.get(now)];
  return a && b && !a.variant_of && !b.variant_of && !old.includes("~") && a.version !== b.version && old.split("@")[0] === now.split("@")[0];
});
const version = (id: string) => (libraries.get(id)?.version ?? "").split(/[,+ ]/)[0];
const plain = (id: string) => libraryName(id).split("@")[0];

function cellsOf(algorithm: Algorithm): [Cell, Cell][] {
  const column = columnAt(algorithm, sizeFor(algorithm));
  return pairs.flatMap(([old, now]): [Cell, Cell][] => {
    const a = column.get(old), b = column.get(now);
    return a && b && !a.flags && !b.flags && isShown(now) ? [[a, b]] : [];
  });
}

export function buildVersions() {
  if (!pairs.length) return;
  const change = (algorithm: Algorithm) => Math.max(...cellsOf(algorithm).map(([a, b]) => Math.abs(Math.log(a.ns.mid / b.ns.mid))));
  const list = [...algorithms.values()].filter((one) => one.contract === "hot" && cellsOf(one).length).map((algorithm) => ({ algorithm, change: change(algorithm) })).sort((a, b) => b.change - a.change);
  if (!list.length) return;
  const made = section("versions", "Versions of one library", "Versions", `Both versions did the same work in the same rounds: ${pairs.map(([old, now]) => `${safe(plain(now))} ${safe(version(old))} → ${safe(version(now))}`).join(", ")}.`);
  const grid = group(made, "Throughput of the older and the newer version", "the largest change first");
  for (const { algorithm } of list) {
    const name = algorithmName(algorithm);
    addPanel(grid, {
      title: safe(name), label: `${name} in versions`, primitive: algorithm.primitive, open: () => openAlgorithm(algorithm), search: `${algorithm.primitive} ${algorithm.operation} ${name} versions`, height: 250,
      make: (width) => {
        const found = cellsOf(algorithm), perCall = found.some(([, cell]) => isPerCall(cell));
        const all = found.map((both): Series => ({
          library: both[1].library, name: `${plain(both[1].library)} ${times(both[0].ns.mid / both[1].ns.mid)}`,
          // The versions stand at equal distances on the logarithmic axis.
          points: both.map((cell, place) => { const value = valueIn(cell, settings.unit); return { x: 2 ** place, low: value.low, mid: value.mid, high: value.high, act: `c${cell.index}`, text: value.text }; }),
        }));
        const bytes = found[0]?.[1].bytes, own = UNITS[settings.unit];
        const unit = `${perCall ? "time per call" : own.name}${bytes ? ` at ${sizeText(algorithm.operation, bytes)}` : ""}, ${!perCall && own.higher ? "higher" : "lower"} is better; ×: the newer version’s speed over the older’s`;
        return drawnLines(all, { higher: !perCall && UNITS[settings.unit].higher, height: 230, tick: perCall ? timeTick : tick, xText: (x) => (x < 1.5 ? "older" : "newer") }, width, unit);
      },
    });
  }
}
