// What a library costs before it is hot: start, memory, size, first calls.
import { dots } from "../charts/dots";
import { cells, present, type Library } from "../data";
import { libraryName, number, size, tick, time, timeTick } from "../format";
import { addPanel, fold } from "../panels";
import { isShown } from "../settings";
import { memory } from "../tooltip";
import { group, section } from "./page";

function median(list: number[]): number | null {
  const sorted = list.filter((one) => one > 0).sort((a, b) => a - b), middle = sorted.length >> 1;
  return sorted.length ? (sorted[(sorted.length - 1) >> 1] + sorted[middle]) / 2 : null;
}
interface Kind { title: string; note: string; pick: (library: Library) => number | null; text: (value: number) => string; tick: (value: number) => string }

export function buildCosts() {
  const first = (part: "object" | "key" | "message") => {
    const found = new Map(present.map((library) => [library.id, [] as number[]]));
    for (const cell of cells) found.get(cell.library)?.push(cell.first[part]);
    const medians = new Map([...found].map(([id, list]) => [id, median(list)]));
    return (library: Library) => medians.get(library.id) ?? null;
  };
  const milliseconds = (value: number) => `${number(value)} ms`;
  const kinds: Kind[] = [
    { title: "Start", note: "process start to the first answer", pick: (library) => library.start_ms, text: milliseconds, tick: (value) => `${tick(value)} ms` },
    { title: "Memory", note: "peak of its worker over an empty worker", pick: (library) => library.peak_kib, text: memory, tick: memory },
    { title: "Code", note: "bytes of code in the loaded object", pick: (library) => library.code_bytes, text: size, tick },
    { title: "Tables", note: "bytes of read-only data in the loaded object", pick: (library) => library.table_bytes, text: size, tick },
    { title: "First object", note: "making the first object, median over its cells", pick: first("object"), text: time, tick: timeTick },
    { title: "First key", note: "first key set-up, median over its cells", pick: first("key"), text: time, tick: timeTick },
    { title: "First message", note: "first message, median over its cells", pick: first("message"), text: time, tick: timeTick },
  ];
  const known = kinds.filter((kind) => present.some((library) => (kind.pick(library) ?? 0) > 0));
  if (!known.length) return;
  const grid = group(section("cost", "Start, memory, size, first calls", "Costs", "What a library costs before it is hot. Single observations have no interval."), "Per library", "lower is better");
  for (const kind of known) addPanel(grid, {
    title: kind.title, label: kind.title, search: `${kind.title} ${kind.note}`, rows: present.length,
    make: (width, panel) => {
      const all = present.filter((library) => isShown(library.id) && (kind.pick(library) ?? 0) > 0).map((library) => {
        const value = kind.pick(library) ?? 0;
        return { library: library.id, name: libraryName(library.id), main: { low: value, mid: value, high: value, text: kind.text(value) }, text: kind.text(value), act: `l${library.id}`, tie: false, flag: false };
      }).sort((a, b) => a.main.mid - b.main.mid);
      if (!all.length) return {};
      const { rows, folded } = fold(all, panel);
      return { rows: all, folded, unit: `${kind.note}; lower is better`, draw: () => dots(rows, { tick: kind.tick }, width) };
    },
  });
}
