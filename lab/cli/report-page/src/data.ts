// The data of the run: unpacks what lab/cli/src/report/pack.rs packed.

export interface Interval { low: number; mid: number; high: number; /** There were too few rounds for an interval. */ few?: boolean }
interface PackedInterval { low: number; mid: number; high: number | null }
/** The ends are the middle divided and multiplied by 1 + `over`. */
interface PackedFactor { mid: number; over: number | null }

export interface Cell {
  index: number;
  library: string; primitive: string; operation: string; family: string; contract: string;
  bytes: number; threads: number;
  ns: Interval; ratio: Interval; tie: boolean;
  rounds: number; calls: number; stop: string;
  first: { object: number; key: number; message: number };
  mhz: number | null;
  flags: string; api: string; kernel: string; note: string;
  /** The number of independent units, and the standard error of the time's logarithm. */
  units: number | null; error: number | null; loadings: string;
  /** The part of the error that all cells of the library have in common. */
  floor: number | null;
  samples: string;
}
export interface Cost {
  library: string; primitive: string; operation: string;
  slope: Interval; intercept: Interval; misfit: number; setup: Interval | null; setupBytes: Interval | null;
}
export interface AlgorithmRank { library: string; algorithm: string; family: string; rank: Interval; band: number; coverage: number }
export interface Answers {
  library: string; primitive: string; operation: string;
  passed: number; failed: number; acceptable: number; unsupported: number; agreed: number; disagreed: number;
  sources: string; constantTime: boolean | null;
  /** Why the algorithm is broken; null if it is not. */
  broken: string | null;
}
export interface Failure { index: number; library: string; primitive: string; operation: string; kind: string }
export interface Library {
  id: string; mask: string; variant_of: string; name: string; version: string; path: string;
  licence: string; language: string; features: string; note: string; absent: string; offers: number;
  /** Why the library is none of the measured system's own; null if it is. */
  notOfSystem: string | null;
  code_bytes: number | null; table_bytes: number | null; start_ms: number | null; peak_kib: number | null;
}
export interface Primitive { name: string; standing: string | null; why: string | null; cost: string | null }
export interface Operation {
  name: string; mode: string | null; verb: string; stem: string; place: number | null;
  beside: string | null; undoes: string | null; /** The unit of the axis, such as B or bits. */ unit: string; perCall: boolean; keyed: boolean;
}
export interface RankRow { library: string; ratio: PackedInterval; algorithms: number; narrow: boolean; band: number; part: number }
export interface RankGroup { family: string; algorithms: number; rows: RankRow[] }
export interface Quadrant {
  modern: boolean; length: "short" | "bulk" | "call" | "public-key"; overall: RankGroup; families: RankGroup[];
  pairs: { row: string; column: string; ratio: number; shared: number }[];
}
export interface PaperRow { library: string; present: PackedInterval; algorithms: number; of: number; narrow: boolean; band: number }
export interface Figure { text: string; value: Interval | null; cell: number | null; flagged: boolean }
export interface ExhibitRow { published: boolean; library: string; primitive: string; x: number | null; figures: Figure[] }
export interface Exhibit {
  title: string; unit: string; more: boolean; note: string; chart: "none" | "panels" | "lines";
  columns: { heading: string; number: boolean; library: string; published: boolean }[];
  rows: ExhibitRow[];
}
/** The figures of earlier years for an algorithm, in bytes or calls per second. */
export interface Published { primitive: string; operation: string; points: { year: number; value: number; what: string; source: string; machine: string }[] }
interface Data {
  run: { target: number; id: number; started: string };
  machine: string;
  others: { run: { id: number; started: string }; machine: string; versions: Record<string, string>; cells: Table }[];
  /** The core's clock during the run: lowest, median, highest. */
  mhz: [number, number, number] | null;
  libraries: Library[];
  headline: { quadrants: Quadrant[] };
  variants: [string, string][];
  /** By algorithm, the cycles per byte below which no core can be. */
  bounds: Record<string, number>;
  timeline: Published[];
  overall: PaperRow[];
  families: [string, PaperRow[]][];
  headings: Record<string, string>;
  primitives: Record<string, Primitive>;
  operations: Record<string, Operation>;
  cells: Table; costs: Table; algorithms: Table; verification: Table; failures: Table;
  views: Record<string, (Omit<Exhibit, "rows"> & { rows: (Omit<ExhibitRow, "figures"> & { figures: Table })[] })[]>;
  critical: number[];
  digits: number; stride: number;
}

// A table is a set of named columns. A column of texts has each distinct text once, and a
// column of objects is a table again.
type Column = unknown[] | { of: string[]; at: number[] } | { inner: Table; absent: number[] };
interface Table { rows: number; columns: Record<string, Column> }

function column(packed: Column, rows: number): unknown[] {
  if (Array.isArray(packed)) return packed;
  if ("of" in packed) return packed.at.map((place) => packed.of[place]);
  const absent = new Set(packed.absent), inner = table(packed.inner).values();
  return Array.from({ length: rows }, (_, row) => (absent.has(row) ? null : inner.next().value));
}

/** The rows of a table as objects. An object with a `mid` is an interval. */
function table<Row>({ rows, columns }: Table): Row[] {
  const names = Object.keys(columns);
  const values = names.map((name) => column(columns[name], rows));
  const isInterval = "mid" in columns && "high" in columns, isFactor = "mid" in columns && "over" in columns;
  return Array.from({ length: rows }, (_, row) => {
    const made: Record<string, unknown> = {};
    names.forEach((name, place) => { made[name] = values[place][row]; });
    if (isInterval) return interval(made as unknown as PackedInterval) as Row;
    return (isFactor ? factor(made as unknown as PackedFactor) : made) as Row;
  });
}

/** If there were too few rounds for an interval, the upper end is null. */
export function interval({ low, mid, high }: PackedInterval): Interval {
  return high == null ? { low: mid, mid, high: mid, few: true } : { low, mid, high };
}

function factor({ mid, over }: PackedFactor): Interval {
  return interval({ low: mid / (1 + (over ?? 0)), mid, high: over == null ? null : mid * (1 + over) });
}

async function unpack(text: string): Promise<Data> {
  const characters = atob(text), bytes = new Uint8Array(characters.length);
  for (let place = 0; place < bytes.length; place++) bytes[place] = characters.charCodeAt(place);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

export const data = await unpack(document.getElementById("data")?.textContent ?? "");
export const cells: Cell[] = table<Cell>(data.cells);
cells.forEach((cell, index) => { cell.index = index; });
export const costs = table<Cost>(data.costs);
export const ranks = table<AlgorithmRank>(data.algorithms);
export const verification = table<Answers>(data.verification);
export const failures = table<Failure>(data.failures);
failures.forEach((failure, index) => { failure.index = index; });

/** A run with which this one is compared. */
export interface OtherRun {
  id: number; started: string; machine: string; versions: Record<string, string>;
  cells: { library: string; primitive: string; operation: string; bytes: number; ns: Interval; mhz: number | null }[];
}
export const otherRuns: OtherRun[] = data.others.map(({ run, machine, versions, cells: packed }) => ({ id: run.id, started: run.started, machine, versions, cells: table(packed) }));
export const thisRun = { id: data.run.id, started: data.run.started, machine: data.machine, versions: Object.fromEntries(data.libraries.map((library) => [library.id, library.version])) };

export function exhibits(view: string): Exhibit[] {
  return (data.views[view] ?? []).map((exhibit) => ({
    ...exhibit,
    rows: exhibit.rows.map((row) => ({ ...row, figures: table<Figure>(row.figures) })),
  }));
}

// A masked variant is not shown as a library. Only its cells are shown, under their mask.
export const present = data.libraries.filter((library) => !library.absent && !library.mask);
export const libraries = new Map(data.libraries.map((library) => [library.id, library]));
/** Versions and builds of a library, each with the one that represents them. */
export const represented = new Map(data.variants);

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** Numbers of so many digits each. */
export function numbers(text: string, digits: number): number[] {
  const found: number[] = [];
  for (let start = 0; start + digits <= text.length; start += digits) {
    let number = 0;
    for (let place = 0; place < digits; place++) number = number * 64 + DIGITS.indexOf(text[start + place]);
    found.push(number);
  }
  return found;
}
export function samplesOf(cell: Cell): number[] {
  if (!cell.samples) return [];
  const [low, high, text] = cell.samples.split(" ");
  const steps = 64 ** data.digits - 1;
  return numbers(text ?? "", data.digits).map((step) => +low + ((+high - +low) * step) / steps);
}
/** The fastest sample and the quartiles. */
export function spreadOf(cell: Cell): { fastest: number; quarter: number; threeQuarters: number } {
  const sorted = samplesOf(cell).sort((a, b) => a - b), last = sorted.length - 1;
  const at = (share: number) => sorted[Math.floor(last * share)] + (sorted[Math.ceil(last * share)] - sorted[Math.floor(last * share)]) * ((last * share) % 1);
  return last < 0 ? { fastest: Number.NaN, quarter: Number.NaN, threeQuarters: Number.NaN } : { fastest: sorted[0], quarter: at(0.25), threeQuarters: at(0.75) };
}
/** The part of each unit in a cell's error: see `Variation` in recommend/model.rs. */
export function loadingsOf(cell: Cell): number[] {
  const parts = numbers(cell.loadings, 1).map((step) => (step / 63) * 2 - 1);
  // The parts were rounded; together they are still the error without its floor.
  const norm = Math.hypot(...parts), own = Math.sqrt(Math.max(0, (cell.error ?? 0) ** 2 - (cell.floor ?? 0) ** 2));
  return parts.map((part) => (norm ? (part / norm) * own : 0));
}

/** A primitive, an operation and a contract. Libraries are compared in it. */
export interface Algorithm {
  key: string; primitive: string; operation: string; contract: string; family: string;
  cells: Cell[]; /** Message lengths on one thread, the shortest first. */ sizes: number[]; threads: boolean;
}
export const algorithmKey = (primitive: string, operation: string, contract: string) => `${primitive} ${operation} ${contract}`;
export const algorithms = new Map<string, Algorithm>();
for (const cell of cells) {
  const key = algorithmKey(cell.primitive, cell.operation, cell.contract);
  let found = algorithms.get(key);
  if (!found) {
    found = { key, primitive: cell.primitive, operation: cell.operation, contract: cell.contract, family: cell.family, cells: [], sizes: [], threads: false };
    algorithms.set(key, found);
  }
  found.cells.push(cell);
  if (cell.threads > 1) found.threads = true;
  else if (!found.sizes.includes(cell.bytes)) found.sizes.push(cell.bytes);
}
for (const algorithm of algorithms.values()) algorithm.sizes.sort((a, b) => a - b);

/** The algorithm under the contract that charts show: hot, or else keyed. */
export function usual(primitive: string, operation: string): Algorithm | undefined {
  for (const contract of ["hot", "keyed", "rekeyed"]) {
    const found = algorithms.get(algorithmKey(primitive, operation, contract));
    if (found) return found;
  }
  return undefined;
}
/** The cells of an algorithm at one size on one thread, by library. */
export function columnAt(algorithm: Algorithm | undefined, bytes: number): Map<string, Cell> {
  const found = new Map<string, Cell>();
  for (const cell of algorithm?.cells ?? []) if (cell.threads === 1 && cell.bytes === bytes) found.set(cell.library, cell);
  return found;
}
/** The cells that a cell is compared with, itself among them. */
export function peers(cell: Cell): Cell[] {
  const algorithm = algorithms.get(algorithmKey(cell.primitive, cell.operation, cell.contract));
  return (algorithm?.cells ?? []).filter((other) => other.bytes === cell.bytes && other.threads === cell.threads);
}
/** An interval of more than this factor between its ends says neither that two are level nor that
 * one is faster. */
const TOO_WIDE = 2;
/** Whether a ratio to the best is too uncertain for a verdict. */
export const isVague = (ratio: Interval, most = TOO_WIDE) => !!ratio.few || ratio.high / ratio.low > most;
const bestOf = (ranked: Cell[]) => ranked.reduce<Cell | null>((least, cell) => (!least || cell.ratio.mid < least.ratio.mid ? cell : least), null);
/** The cells that cannot be told from the best; none if the best stands alone. */
export function tiesOf(column: Iterable<Cell>): Cell[] {
  const ranked = [...column].filter((cell) => !cell.flags), best = bestOf(ranked);
  const tied = ranked.filter((cell) => (cell.tie && !isVague(cell.ratio)) || cell === best);
  return tied.length > 1 ? tied : [];
}
/** The cells whose ratio to the best is too uncertain to say whether they tie. */
export function vagueOf(column: Iterable<Cell>): Cell[] {
  const ranked = [...column].filter((cell) => !cell.flags), best = bestOf(ranked);
  return ranked.filter((cell) => cell.tie && cell !== best && isVague(cell.ratio));
}
