// What CPU instructions are worth: each library as it is, and without these instructions.
import { dots, type Row } from "../charts/dots";
import { algorithms, libraries, type Algorithm, type Cell } from "../data";
import { openAlgorithm } from "../dialog";
import { PER_CALL, UNITS, algorithmName, libraryName, nb, safe, size, tick, timeTick, times, valueIn } from "../format";
import { addPanel, fold } from "../panels";
import { isShown, settings } from "../settings";
import { group, section } from "./page";

const TITLES: Record<string, [title: string, without: string]> = {
  "no-avx512": ["AVX-512", "without"],
  portable: ["The CPU’s instructions for cryptography", "portable code"],
};

/** Pairs of one library's cells, as it is and masked, at the longest size that both have. */
function pairsOf(algorithm: Algorithm, mask: string): [Cell, Cell][] {
  const plain = algorithms.get(algorithm.key.replace(`, ${mask}`, ""));
  const found = new Map<string, [Cell, Cell]>();
  for (const masked of algorithm.cells) {
    const id = masked.library.split("~")[0], own = found.get(id);
    const cell = plain?.cells.find((one) => one.library === id && one.bytes === masked.bytes && one.threads === 1);
    if (masked.threads === 1 && cell && !cell.flags && !masked.flags && (!own || own[0].bytes < cell.bytes)) found.set(id, [cell, masked]);
  }
  return [...found.values()];
}

export function buildMasks() {
  const masks = [...new Set([...libraries.values()].map((library) => library.mask).filter(Boolean))].sort();
  const found = masks.map((mask) => ({ mask, list: [...algorithms.values()].filter((one) => one.contract === `hot, ${mask}` && pairsOf(one, mask).length) })).filter((one) => one.list.length);
  if (!found.length) return;
  const made = section("masks", "What CPU instructions are worth", "AVX-512", "The same library in the same rounds, once as it is (filled) and once with a switch that keeps it from using the instructions (hollow). At the right the gain: how many times as fast it is with them.");
  for (const { mask, list } of found) {
    const [title, without] = TITLES[mask] ?? [mask, mask], grid = group(made, safe(title));
    for (const algorithm of list) {
      const name = algorithmName(algorithm);
      addPanel(grid, {
        title: safe(name), label: `${name}: ${title}`, primitive: algorithm.primitive, open: () => openAlgorithm(algorithm), search: `${algorithm.primitive} ${algorithm.operation} ${name} ${mask}`,
        rows: pairsOf(algorithm, mask).length, heads: ["with", without],
        make: (width, panel) => {
          const pairs = pairsOf(algorithm, mask).filter(([, masked]) => isShown(masked.library));
          if (!pairs.length) return {};
          const gain = ([cell, masked]: [Cell, Cell]) => masked.ns.mid / cell.ns.mid;
          const all = pairs.sort((a, b) => gain(b) - gain(a)).map((pair): Row => {
            const [cell, masked] = pair;
            return { library: cell.library, name: libraryName(cell.library), main: valueIn(cell, settings.unit), alt: valueIn(masked, settings.unit), text: times(gain(pair)), act: `c${cell.index}`, altAct: `c${masked.index}`, tie: false, flag: false };
          });
          const unit = valueIn(pairs[0][0], settings.unit).unit, { rows, folded } = fold(all, panel), bytes = pairs[0][0].bytes;
          return {
            rows: all, folded, unit: `${unit === PER_CALL ? unit.long : `${unit.name} at ${size(bytes)}, ${unit.higher ? "higher" : "lower"} is better`}; ●${nb}with ○${nb}${without}`,
            draw: () => dots(rows, { tick: unit === UNITS[settings.unit] ? tick : timeTick, joined: true }, width),
          };
        },
      });
    }
  }
}
