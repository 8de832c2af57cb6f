// Rows of a panel from the cells of an algorithm.
import { dots, type Row } from "./charts/dots";
import { columnAt, data, tiesOf, vagueOf, type Algorithm, type Interval } from "./data";
import { PER_CALL, UNITS, algorithmName, contractName, libraryName, nb, operationName, primitiveName, safe, size, sizeText, spread, tick, timeTick, valueIn, type Unit } from "./format";
import { openAlgorithm } from "./dialog";
import { addPanel, fold } from "./panels";
import { isShown, settings, sizeFor } from "./settings";

export interface Item { algorithm: Algorithm; alt?: Algorithm | null; title?: string }

/** The longest size that most of these algorithms have, so that panels side by side show one size;
 * null for an algorithm without it, and while the user asks for another size. */
function commonSize(items: Item[], own: Algorithm): number | null {
  if (settings.size !== "bulk") return null;
  const count = (bytes: number) => items.filter((item) => item.algorithm.sizes.includes(bytes)).length;
  const shared = own.sizes.filter((bytes) => count(bytes) * 2 > items.length);
  return shared.length ? shared[shared.length - 1] : null;
}

const NONE: Interval = { low: Number.NaN, mid: Number.NaN, high: Number.NaN };
export function rowsOf({ algorithm, alt }: Item, bytes = sizeFor(algorithm)): { rows: Row[]; bytes: number; unit: Unit } {
  const main = columnAt(algorithm, bytes), other = alt ? columnAt(alt, alt.sizes.includes(bytes) ? bytes : sizeFor(alt)) : new Map();
  const tied = tiesOf(main.values()), vague = vagueOf(main.values());
  let unit: Unit = UNITS[settings.unit];
  const rows: Row[] = [];
  for (const library of new Set([...main.keys(), ...other.keys()])) {
    if (!isShown(library)) continue;
    const cell = main.get(library), second = other.get(library);
    const value = cell && valueIn(cell, settings.unit);
    if (value && !Number.isFinite(value.mid)) continue;
    if (value) unit = value.unit;
    rows.push({
      library, name: libraryName(library), main: value ?? NONE, text: value?.text ?? "–", note: value ? spread(value) : "",
      act: cell ? `c${cell.index}` : `c${second.index}`, alt: second && valueIn(second, settings.unit), altAct: second && `c${second.index}`,
      tie: !!cell && tied.includes(cell), flag: !!cell?.flags, vague: !!cell && vague.includes(cell),
    });
  }
  // A library that ties only with a version of itself, which is hidden, stands alone.
  if (rows.filter((row) => row.tie).length < 2) for (const row of rows) row.tie = false;
  const weight = (row: Row) => (Number.isFinite(row.main.mid) ? row.main.mid : unit.higher ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY);
  rows.sort((a, b) => (unit.higher ? weight(b) - weight(a) : weight(a) - weight(b)) || a.name.localeCompare(b.name));
  return { rows, bytes, unit };
}
const verb = (operation: string) => data.operations[operation]?.verb ?? operationName(operation);

/** The title of an algorithm's panel: with its mode, where it has one. */
export function titleOf({ algorithm, alt, title }: Item): string {
  if (title) return title;
  const { primitive, operation, contract } = algorithm, mode = data.operations[operation].mode;
  const plain = /^(hash|encrypt|stream-encrypt|aead-encrypt|mac|derive|crypt)$/.test(operation);
  const name = alt && mode ? `${primitiveName(primitive)} ${mode}` : plain || (alt && !mode) ? primitiveName(primitive) : algorithmName(algorithm);
  return name + contractName(contract);
}

/** A panel for each algorithm. All panels of a group show one size. */
export function addAlgorithms(parent: Element, items: Item[]) {
  for (const item of items) {
    const { algorithm, alt } = item, title = titleOf(item);
    addPanel(parent, {
      title: safe(title), label: title, primitive: algorithm.primitive, open: () => openAlgorithm(algorithm),
      search: `${algorithm.primitive} ${algorithm.operation} ${alt?.operation ?? ""} ${algorithmName(algorithm)} ${title} ${algorithm.family}`,
      rows: new Set(algorithm.cells.map((cell) => cell.library)).size, heads: [operationName(algorithm.operation), alt ? operationName(alt.operation) : ""],
      make: (width, panel) => {
        const { rows: all, bytes, unit } = rowsOf(item, commonSize(items, algorithm) ?? sizeFor(algorithm));
        if (!all.length) return {};
        const perCall = unit === PER_CALL, { rows, folded } = fold(all, panel);
        const far = settings.size !== "bulk" && bytes !== settings.size && !perCall ? ` (${size(settings.size)} was not measured)` : "";
        const both = alt ? `; ●${nb}${verb(algorithm.operation)} ○${nb}${verb(alt.operation)}` : "";
        return {
          rows: all, folded,
          unit: `${perCall ? unit.long.replace("per call", `per call${data.operations[algorithm.operation].unit === "B" ? "" : ` at ${sizeText(algorithm.operation, bytes)}`}`) : `${unit.name} at ${size(bytes)}, ${unit.higher ? "higher" : "lower"} is better`}${far}${both}`,
          draw: () => dots(rows, { tick: perCall ? timeTick : tick }, width),
        };
      },
    });
  }
}
