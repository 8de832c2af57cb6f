// Numbers and names as text.
import { algorithms, algorithmKey, data, libraries, type Cell, type Interval } from "./data";

const THIN = "\u202f", NB = "\u00a0";
export const nb = NB;
const grouped = (text: string) => text.replace(/\B(?=(\d{3})+$)/g, THIN);

export const primitiveName = (id: string) => data.primitives[id]?.name ?? id;
export const operationName = (id: string) => data.operations[id]?.name ?? id;
const shared = new Set(data.libraries.map((library) => library.name).filter((name, place, all) => all.indexOf(name) !== place));
export function libraryName(id: string): string {
  const name = libraries.get(id)?.name;
  return name == null || shared.has(name) ? id : name;
}
export const algorithmName = (of: { primitive: string; operation: string }) => `${primitiveName(of.primitive)} ${operationName(of.operation)}`;
/** The contract in brackets, unless it is the usual one. */
export const contractName = (contract: string) => (contract === "hot" ? "" : ` (${contract.replace("hot, ", "")})`);
/** The name of `primitive operation [contract]`. */
export function rankedName(id: string): string {
  const [primitive, operation, contract] = id.split(" ");
  return `${primitiveName(primitive)} ${operationName(operation)}${contractName(contract ?? "hot")}`;
}
export function rankedAlgorithm(id: string) {
  const [primitive, operation, contract] = id.split(" ");
  return algorithms.get(algorithmKey(primitive, operation, contract ?? "hot"));
}
/** The library's name and version, without the build and further parts of the version. */
export const versioned = (id: string) => `${libraryName(id)} ${(libraries.get(id)?.version ?? "").split(/[,+]/)[0]}`.trim();
export const familyName = (id: string) => data.headings[id] ?? id;

export const safe = (text: unknown) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

export function number(x: number | null | undefined): string {
  if (x == null || !Number.isFinite(x)) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 100) return grouped(Math.round(x).toString());
  if (size >= 0.001) return x.toPrecision(3);
  return x.toExponential(1).replace("e-", "×10⁻").replace(/\d+$/, (digits) => [...digits].map((d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[+d]).join(""));
}
export const whole = (x: number) => grouped(String(Math.round(x)));
export function size(bytes: number): string {
  const steps: [number, string][] = [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"]];
  for (const [step, unit] of steps) if (bytes >= step && bytes % step === 0) return `${bytes / step}${NB}${unit}`;
  for (const [step, unit] of steps) if (bytes >= 10 * step) return `${number(bytes / step)}${NB}${unit}`;
  return `${bytes >= 10_000 ? whole(bytes) : number(Math.round(bytes)).replace(".00", "").replace(/\.0$/, "")}${NB}B`;
}
export function time(ns: number | null | undefined): string {
  if (ns == null || !Number.isFinite(ns)) return "–";
  const steps: [number, string][] = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]];
  for (const [step, unit] of steps) if (Math.abs(ns) >= step) return `${number(ns / step)}${NB}${unit}`;
  return `${number(ns)}${NB}ns`;
}
export function spread(interval: Interval): string {
  if (interval.few) return "too few rounds";
  const half = interval.mid ? (Math.max(interval.high - interval.mid, interval.mid - interval.low) / interval.mid) * 100 : 0;
  return `±${half < 0.095 ? "<0.1" : half < 9.95 ? half.toFixed(1) : Math.round(half)}${NB}%`;
}
export const times = (ratio: number) => `${ratio < 10 ? ratio.toFixed(2) : number(ratio)}×`;
export const list = (words: string[]) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`);

export const tick = (x: number) => {
  const size = Math.abs(x);
  return size >= 1e6 ? `${+(x / 1e6).toPrecision(3)}M` : size >= 1e4 ? `${+(x / 1e3).toPrecision(3)}k` : `${+x.toPrecision(3)}`;
};
export const timeTick = (ns: number) => {
  const steps: [number, string][] = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]];
  for (const [step, unit] of steps) if (ns >= step * 0.9999) return `${+(ns / step).toPrecision(3)}${NB}${unit}`;
  return `${+ns.toPrecision(3)}${NB}ns`;
};
export const sizeTick = (bytes: number) => size(bytes).replace("KiB", "K").replace("MiB", "M").replace(NB, "");

// The axis of an operation: a length in bytes, or a number of bits.
const isLength = (operation: string) => data.operations[operation].unit === "B";
export const sizeText = (operation: string, at: number) => (isLength(operation) ? size(at) : `${whole(at)}${NB}${data.operations[operation].unit}`);
export const axisTick = (operation: string) => (isLength(operation) ? sizeTick : String);
export const axisOf = (operation: string) => (isLength(operation) ? "message length" : data.operations[operation].unit);

// Units.
export interface Unit { name: string; long: string; higher: boolean }
interface PerByte extends Unit { of(ns: number, bytes: number, mhz: number | null): number }
export const UNITS: Record<string, PerByte> = {
  gbps: { name: "GB/s", long: "GB/s (10⁹ bytes per second), higher is better", higher: true, of: (ns, bytes) => bytes / ns },
  nspb: { name: "ns/B", long: "ns per byte, lower is better", higher: false, of: (ns, bytes) => ns / bytes },
  cpb: { name: "cycles/B", long: "cycles per byte at the clock around the cell, lower is better", higher: false, of: (ns, bytes, mhz) => (mhz ? (ns * mhz) / 1000 / bytes : Number.NaN) },
};
export const PER_CALL: Unit = { name: "time", long: "time per call, lower is better", higher: false };
export const isPerCall = (cell: { bytes: number; operation: string; contract: string }) =>
  cell.bytes === 0 || data.operations[cell.operation].perCall || cell.contract === "setup";

export interface Value extends Interval { text: string; unit: Unit }
/** A cell's time in a unit. If the unit inverts the time, the ends change places. */
export function valueIn(cell: Cell, unit: string): Value {
  if (isPerCall(cell)) return { ...cell.ns, text: time(cell.ns.mid), unit: PER_CALL };
  const perByte = UNITS[unit];
  const of = (ns: number) => perByte.of(ns, cell.bytes, cell.mhz);
  const [a, b, mid] = [of(cell.ns.low), of(cell.ns.high), of(cell.ns.mid)];
  return { low: Math.min(a, b), mid, high: Math.max(a, b), few: cell.ns.few, text: number(mid), unit: perByte };
}
