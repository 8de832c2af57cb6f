// Predicts what a message costs with each library. The model is that of the command
// `touchstone recommend`: lab/cli/src/recommend.rs and recommend/model.rs say why.
import { cells, data, loadingsOf, verification, type Answers, type Cell, type Interval, type Library } from "./data";

/** A ratio within this distance of 1 is a tie, and so is one whose interval, made wider by the
 * second number, includes 1: rank/ratio.rs. */
const EQUIVALENT = 0.01, CAUTION = 1.5;

/** A sum of measured times, each with its weight. */
class Estimate {
  readonly parts = new Map<Cell, number>();
  add(other: Estimate | Cell, weight: number): this {
    if (other instanceof Estimate) for (const [cell, own] of other.parts) this.put(cell, own * weight);
    else this.put(other, weight);
    return this;
  }
  private put(cell: Cell, weight: number) { this.parts.set(cell, (this.parts.get(cell) ?? 0) + weight); }
  get mid(): number {
    let sum = 0;
    for (const [cell, weight] of this.parts) sum += cell.ns.mid * weight;
    return sum;
  }
  /** The share of each cell in the logarithm's change. */
  private shares(sign: number, into: Map<Cell, number>) {
    const mid = this.mid;
    for (const [cell, weight] of this.parts) into.set(cell, (into.get(cell) ?? 0) + (sign * cell.ns.mid * weight) / mid);
  }
  interval(): Interval {
    const shares = new Map<Cell, number>();
    this.shares(1, shares);
    return around(this.mid, shares);
  }
  over(other: Estimate): Interval {
    const shares = new Map<Cell, number>();
    this.shares(1, shares);
    other.shares(-1, shares);
    return around(this.mid / other.mid, shares);
  }
}

const loadings = new Map<Cell, number[]>();
function loadingsKept(cell: Cell): number[] {
  let own = loadings.get(cell);
  if (!own) { own = loadingsOf(cell); loadings.set(cell, own); }
  return own;
}
/** The 95 % interval around an estimate, from the errors of what it is made of. Cells that were
 * measured in the same processes have a part of their errors in common. */
function around(mid: number, shares: Map<Cell, number>): Interval {
  let variance = 0, units = Number.POSITIVE_INFINITY;
  const common = new Map<number, number[]>(), floors = new Map<string, number>();
  for (const [cell, share] of shares) {
    if (cell.error == null || cell.units == null) return { low: mid, mid, high: mid, few: true };
    units = Math.min(units, cell.units);
    const parts = loadingsKept(cell), floor = cell.floor ?? 0, inCommon = parts.reduce((sum, part) => sum + part * part, floor * floor);
    variance += share * share * Math.max(0, cell.error ** 2 - inCommon);
    floors.set(cell.library, (floors.get(cell.library) ?? 0) + share * floor);
    const sum = common.get(parts.length) ?? parts.map(() => 0);
    parts.forEach((part, place) => { sum[place] += share * part; });
    common.set(parts.length, sum);
  }
  for (const floor of floors.values()) variance += floor * floor;
  for (const sum of common.values()) for (const part of sum) variance += part * part;
  const critical = data.critical[Math.min(units - 1, data.critical.length) - 1];
  const factor = Math.exp(Math.sqrt(variance) * critical);
  return { low: mid / factor, mid, high: mid * factor };
}
export function isTie(ratio: Interval): boolean {
  if (ratio.few || Math.abs(ratio.mid - 1) < EQUIVALENT) return true;
  return ratio.mid - (ratio.mid - ratio.low) * CAUTION <= 1 && 1 <= ratio.mid + (ratio.high - ratio.mid) * CAUTION;
}

interface Curve { points: Cell[]; setup: Cell | null }
const curves = new Map<string, Curve>();
const curveKey = (library: string, primitive: string, operation: string, threads: number) => [library, primitive, operation, threads].join(" ");
for (const cell of cells) {
  if (cell.flags || !["hot", "setup"].includes(cell.contract)) continue;
  const key = curveKey(cell.library, cell.primitive, cell.operation, cell.threads);
  let curve = curves.get(key);
  if (!curve) { curve = { points: [], setup: null }; curves.set(key, curve); }
  if (cell.contract === "setup") curve.setup = cell; else curve.points.push(cell);
}
for (const curve of curves.values()) curve.points.sort((a, b) => a.bytes - b.bytes);

/** The cost of a message of a length; null if only one other length was measured. */
function messageCost({ points }: Curve, bytes: number, perCall: boolean): { ns: Estimate; beyond: boolean } | null {
  const measured = (cell: Cell, beyond: boolean) => ({ ns: new Estimate().add(cell, 1), beyond });
  const first = points[0], last = points[points.length - 1];
  if (!first) return null;
  const exact = points.find((cell) => cell.bytes === bytes);
  if (exact) return measured(exact, false);
  if (perCall) return measured(points.reduce((near, cell) => (Math.abs(cell.bytes - bytes) < Math.abs(near.bytes - bytes) ? cell : near)), false);
  if (points.length < 2) return null;
  if (bytes < first.bytes) return measured(first, true);
  const found = points.findIndex((cell) => cell.bytes > bytes), after = found < 0 ? points.length - 1 : found;
  const below = points[after - 1], above = points[after], share = (bytes - below.bytes) / (above.bytes - below.bytes);
  return { ns: new Estimate().add(below, 1 - share).add(above, share), beyond: bytes > last.bytes };
}

export interface Question {
  primitive: string; operation: string; bytes: number;
  /** Messages under one key; null if the cost of the key is left out. */
  perKey: number | null;
  threads: number;
  /** Licences as SPDX ids, and languages; empty if all may be used. */
  licences: string[]; languages: string[];
  constantTime: boolean;
  /** Whether the library must be one of the measured system's own. */
  installed: boolean;
  /** Whether the algorithm must not be broken. */
  noBroken: boolean;
  noWrong: "" | "operation" | "any";
}
export interface Candidate { library: string; ns: Interval; ratio: Interval; level: boolean; beyond: boolean }
export interface Turn { at: number; library: string }
export interface Answer {
  rows: Candidate[];
  leftOut: { library: string; why: string }[];
  represented: [string, string][];
  /** The first library at each length, from the place on where it becomes the first. */
  byLength: Turn[];
  /** The first library for each number of messages under one key. */
  byKey: Turn[];
  /** The predicted cost at each length, for charts. */
  cost: (library: string, bytes: number) => Interval | null;
  /** The measured lengths. */
  lengths: number[];
}

const answersOf = new Map<string, Answers>();
const wrongIn = new Map<string, number>();
const raise = (key: string, by: number) => wrongIn.set(key, (wrongIn.get(key) ?? 0) + by);
for (const row of verification) {
  answersOf.set(`${row.library} ${row.primitive} ${row.operation}`, row);
  raise(row.library, row.failed);
  raise(`${row.library} ${row.primitive} ${data.operations[row.operation].stem}`, row.failed);
}

/** Why an algorithm is broken; null if it is not. */
export const brokenBecause = (primitive: string, operation: string) =>
  verification.find((row) => row.primitive === primitive && row.operation === operation)?.broken ?? null;

/** Why a library may not be used; null if it may. */
function objection(library: Library, question: Question): string | null {
  if (question.licences.length && !isAllowed(library.licence, question.licences)) return `licence: ${library.licence || "not stated"}`;
  const language = library.language.split(/[, ]/)[0];
  if (question.languages.length && !question.languages.includes(language)) return `language: ${library.language || "not stated"}`;
  if (question.installed && library.notOfSystem) return library.notOfSystem;
  const wrong = wrongIn.get(library.id) ?? 0;
  if (question.noWrong === "any" && wrong) return `wrong answers in the run: ${wrong}`;
  return null;
}
type Cost = { ns: Estimate; beyond: boolean };
/** The cost of a message with its share of a key, or why there is none. */
function costOf(library: string, question: Question, bytes: number, perKey: number | null): Cost | string {
  const { primitive, operation, threads } = question, name = `${primitive} ${operation}`;
  const curve = curves.get(curveKey(library, primitive, operation, threads)), row = answersOf.get(`${library} ${name}`);
  if (!curve?.points.length) {
    if (!row) return `has no ${name}`;
    if (row.failed) return `${name}: wrong answers: ${row.failed}; not timed`;
    return threads > 1 ? `${name}: not measured on ${threads} threads` : `${name}: not measured`;
  }
  if (question.constantTime && !row?.constantTime) return `constant time: not stated for ${name}`;
  const stem = data.operations[operation].stem, wrong = wrongIn.get(`${library} ${primitive} ${stem}`) ?? 0;
  if (question.noWrong === "operation" && wrong) return `wrong answers in ${primitive} ${stem}: ${wrong}`;
  const cost = messageCost(curve, bytes, data.operations[operation].perCall);
  if (!cost) return `${name}: measured at no two lengths`;
  if (perKey != null && data.operations[operation].keyed) {
    const setup = curves.get(curveKey(library, primitive, operation, 1))?.setup;
    if (!setup) return `${name}: key set-up not measured`;
    // Key set-up is measured on one thread; several threads do it at once.
    cost.ns.add(setup, 1 / perKey / threads);
  }
  return cost;
}

/** Numbers of messages under one key at which the first library is looked up. */
const MESSAGES_PER_KEY = [1, 2, 4, 10, 30, 100, 1000, Number.POSITIVE_INFINITY];

/** Which library to use. */
export function answer(question: Question): Answer {
  const leftOut: Answer["leftOut"] = [];
  let plans: { library: Library; cost: Cost }[] = [];
  for (const library of data.libraries) {
    if (library.mask) continue;
    const why = library.absent ? `absent: ${library.absent}` : objection(library, question);
    const cost = why ?? costOf(library.id, question, question.bytes, question.perKey);
    if (typeof cost === "string") leftOut.push({ library: library.id, why: cost });
    else plans.push({ library, cost });
  }
  const represented = versionsOf(plans.map((plan) => plan.library));
  const hidden = new Set(represented.map(([id]) => id));
  plans = plans.filter((plan) => !hidden.has(plan.library.id)).sort((a, b) => a.cost.ns.mid - b.cost.ns.mid);
  const rows = plans.map(({ library, cost }): Candidate => {
    const ratio = library === plans[0].library ? { low: 1, mid: 1, high: 1 } : cost.ns.over(plans[0].cost.ns);
    return { library: library.id, ns: cost.ns.interval(), ratio, level: isTie(ratio), beyond: cost.beyond };
  });
  // The cheapest is level with others, or alone.
  if (rows[0]) rows[0].level = rows.filter((row) => row.level).length > 1;
  const lengths = new Set<number>();
  for (const { library } of plans) for (const cell of curves.get(curveKey(library.id, question.primitive, question.operation, question.threads))?.points ?? []) lengths.add(cell.bytes);
  const knots = [...lengths].sort((a, b) => a - b), ids = plans.map((plan) => plan.library.id);
  const perCall = data.operations[question.operation].perCall;
  const byLength = perCall ? [] : course(ids, knots, knots, (id, bytes) => costOf(id, question, bytes, question.perKey));
  // The cost is a straight line in keys per message.
  const byKey = question.perKey == null || !data.operations[question.operation].keyed ? []
    : course(ids, MESSAGES_PER_KEY.map((messages) => 1 / messages), MESSAGES_PER_KEY, (id, keys) => costOf(id, question, question.bytes, 1 / keys))
      .map((turn, place) => (place ? { ...turn, at: 1 / turn.at } : turn));
  return {
    rows, leftOut, represented, byLength, byKey, lengths: knots,
    cost: (id, bytes) => { const cost = costOf(id, question, bytes, question.perKey); return typeof cost === "string" ? null : cost.ns.interval(); },
  };
}

/** Goes along an axis, between whose knots all costs are straight lines, and finds where
 * another library becomes the first: recommend/turn.rs. */
function course(ids: string[], knots: number[], shown: number[], cost: (id: string, at: number) => Cost | string): Turn[] {
  if (ids.length < 2 || knots.length < 2) return [];
  const costs: Estimate[][] = [];
  for (const id of ids) {
    const own = knots.map((knot) => cost(id, knot));
    if (own.some((one) => typeof one === "string")) return [];
    costs.push(own.map((one) => (one as Cost).ns));
  }
  const mids = costs.map((own) => own.map((one) => one.mid));
  const fastest = (knot: number) => mids.reduce((best, own, place) => (own[knot] < mids[best][knot] ? place : best), 0);
  let first = fastest(0), since = 0;
  const turns: Turn[] = [{ at: shown[0], library: ids[first] }];
  for (let knot = 1; knot < knots.length; knot++) {
    const other = fastest(knot);
    if (other === first || isTie(costs[first][knot].over(costs[other][knot]))) continue;
    const gap = (at: number) => mids[first][at] - mids[other][at];
    let at = knots[knot];
    for (let k = knot - 1; k >= since; k--) {
      if (gap(k) > 0 || gap(k + 1) <= 0) continue;
      at = knots[k] + (gap(k) / (gap(k) - gap(k + 1))) * (knots[k + 1] - knots[k]);
      break;
    }
    turns.push({ at, library: ids[other] });
    first = other; since = knot;
  }
  return turns;
}

/** Versions and builds of one library, each with the one that represents them: the newest
 * version of the library itself (`variants` in summarise.rs). */
function versionsOf(able: Library[]): [string, string][] {
  const projects = new Map<string, Library[]>();
  for (const library of able) {
    const project = library.variant_of || library.id.split(/[@~]/)[0];
    projects.set(project, [...(projects.get(project) ?? []), library]);
  }
  const numbers = (version: string) => (version.match(/\d+/g) ?? []).map(Number);
  const newer = (a: number[], b: number[]) => {
    for (let place = 0; place < Math.max(a.length, b.length); place++) {
      const step = (b[place] ?? -1) - (a[place] ?? -1);
      if (step) return step;
    }
    return 0;
  };
  const found: [string, string][] = [];
  for (const versions of projects.values()) {
    versions.sort((a, b) => Number(!!a.variant_of) - Number(!!b.variant_of) || newer(numbers(a.version), numbers(b.version)) || (a.id < b.id ? -1 : 1));
    for (const one of versions.slice(1)) found.push([one.id, versions[0].id]);
  }
  return found;
}

/** Whether an SPDX expression can be met with these licences: one side of each OR, and both
 * sides of each AND (constraint.rs). */
export function isAllowed(expression: string, licences: string[]): boolean {
  const words = expression.replace(/([()])/g, " $1 ").split(/\s+/).filter(Boolean), allowed = licences.map((one) => one.toLowerCase());
  let at = 0;
  const take = (word: string) => {
    const isNext = words[at]?.toUpperCase() === word;
    if (isNext) at++;
    return isNext;
  };
  const single = (): boolean | null => {
    if (take("(")) { const met = any(); return take(")") ? met : null; }
    let id = words[at++];
    if (id == null) return null;
    if (take("WITH")) { const exception = words[at++]; if (exception == null) return null; id += ` WITH ${exception}`; }
    return allowed.includes(id.toLowerCase());
  };
  const every = (): boolean | null => {
    let met = single();
    while (take("AND")) { const other = single(); met = met == null || other == null ? null : met && other; }
    return met;
  };
  const any = (): boolean | null => {
    let met = every();
    while (take("OR")) { const other = every(); met = met == null || other == null ? null : met || other; }
    return met;
  };
  return any() === true && at === words.length;
}
/** The licences that expressions name. */
export const licencesIn = (expression: string) => expression.replace(/[()]/g, " ").split(/\s+(?:AND|OR)\s+/i).map((one) => one.trim()).filter(Boolean);
