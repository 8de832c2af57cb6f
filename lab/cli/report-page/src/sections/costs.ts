// What a library costs before it is hot: start, memory, size, first calls.
import { dots } from "../charts/dots";
import { scatter } from "../charts/scatter";
import { cells, data, libraries, present, type Library } from "../data";
import { libraryName, number, size, tick, time, timeTick, times } from "../format";
import { addPanel, fold } from "../panels";
import { isShown } from "../settings";
import { memory } from "../tooltip";
import { group, section } from "./page";
import { quadrantName } from "./standings";

function median(list: number[]): number | null {
  const sorted = list.filter((one) => one > 0).sort((a, b) => a - b), middle = sorted.length >> 1;
  return sorted.length ? (sorted[(sorted.length - 1) >> 1] + sorted[middle]) / 2 : null;
}
const bytes = (value: number) => (value >= 1e6 ? `${+(value / 1e6).toPrecision(2)}\u00a0MB` : `${+(value / 1e3).toPrecision(2)}\u00a0kB`);
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
    { title: "Memory", note: "peak of its worker over an empty worker", pick: (library) => (library.peak_kib == null ? null : library.peak_kib * 1024), text: (value) => memory(value / 1024), tick: bytes },
    { title: "Code", note: "bytes of code in the loaded object", pick: (library) => library.code_bytes, text: size, tick: bytes },
    { title: "Tables", note: "bytes of read-only data in the loaded object", pick: (library) => library.table_bytes, text: size, tick: bytes },
    { title: "First object", note: "making the first object, median over its cells", pick: first("object"), text: time, tick: timeTick },
    { title: "First key", note: "first key set-up, median over its cells", pick: first("key"), text: time, tick: timeTick },
    { title: "First message", note: "first message, median over its cells", pick: first("message"), text: time, tick: timeTick },
  ];
  const known = kinds.filter((kind) => present.some((library) => (kind.pick(library) ?? 0) > 0));
  if (!known.length) return;
  const made = section("cost", "Start, memory, size, first calls", "Costs", "What a library costs before it is hot. Single observations have no interval.");
  buildTrades(made);
  const grid = group(made, "Per library", "lower is better");
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

/** Speed against memory and code: what a small library costs in speed. */
function buildTrades(parent: Element) {
  const quadrant = data.headline.quadrants.find((one) => one.modern && one.length === "bulk") ?? data.headline.quadrants[0];
  if (!quadrant) return;
  const rows = quadrant.overall.rows.filter((row) => row.part === 1 && !row.narrow);
  const kinds = [
    { title: "Speed against code", axis: "bytes of code in the loaded object", of: (library: Library) => library.code_bytes, text: size, note: "A library's code has all its algorithms, also those that were not measured." },
    { title: "Speed against memory", axis: "peak memory of its worker over an empty worker", of: (library: Library) => (library.peak_kib == null ? null : library.peak_kib * 1024), text: size, note: "" },
  ].filter((kind) => rows.filter((row) => (kind.of(libraries.get(row.library) as Library) ?? 0) > 0).length > 2);
  if (!kinds.length) return;
  const grid = group(parent, "What speed costs", "upper left: small and fast");
  grid.classList.add("roomy");
  for (const kind of kinds) addPanel(grid, {
    title: kind.title, label: kind.title, search: `${kind.title} ${kind.axis}`, height: 350, wide: true,
    note: kind.note,
    make: (width) => {
      const places = rows.flatMap((row) => {
        const library = libraries.get(row.library), value = library && kind.of(library);
        if (!library || !value || !isShown(row.library)) return [];
        return [{ library: row.library, name: libraryName(row.library), x: value, y: row.ratio.mid, label: `${libraryName(row.library)}: ${kind.text(value)}, ${times(row.ratio.mid)} the leading library's time` }];
      });
      return places.length ? { unit: `times the leading library's time (${quadrantName(quadrant)}), upwards is faster; ${kind.axis}, leftwards is smaller`, draw: () => scatter(places, { xTick: bytes, yTick: (value) => `${+value.toPrecision(3)}×`, xLabel: kind.axis, yLabel: "" }, width) } : {};
    },
  });
}
