// A row for each library, sorted by value: name, mark with interval, value. Rows that cannot be
// told from the best lie on one band.
import { axisX, dot, plot, rect, ruleY, text } from "@observablehq/plot";
import type { SymbolType } from "d3-shape";
import type { Interval } from "../data";
import { colour, shape } from "../marks";
import { bind, logDomain, logTicks, textWidth, theme, type Domain } from "./chart";

export interface Row {
  library: string; name: string;
  main: Interval; /** A second value, drawn hollow. */ alt?: Interval | null;
  text: string; note?: string; act: string | null; altAct?: string | null;
  tie: boolean; flag: boolean; /** Too uncertain to say whether it ties. */ vague?: boolean;
}
const stateOf = (row: Row) => (row.flag ? "⚑ " : row.tie ? "= " : row.vague ? "? " : "");
export interface DotsOptions { domain?: Domain; tick: (value: number) => string; names?: string[]; texts?: string[]; from?: number; /** A line joins a row's two values. */ joined?: boolean }

/** The end of an interval. */
const END: SymbolType = { draw(context) { context.moveTo(0, -5); context.lineTo(0, 5); } };
const ROW = 24, FOOT = 22;
export const dotsHeight = (rows: number) => rows * ROW + FOOT;

export function dots(rows: Row[], options: DotsOptions, total: number): SVGSVGElement {
  const look = theme(), height = dotsHeight(rows.length);
  const names = Math.min(total * 0.47, Math.max(...(options.names ?? rows.map((row) => row.name)).map((name) => textWidth(name))) + 24);
  const flagged = rows.some((row) => row.flag), tied = rows.some((row) => row.tie || row.vague);
  const noted = total > 380 && rows.some((row) => row.note);
  const numbers = Math.max(...(options.texts ?? rows.map((row) => row.text)).map((words) => textWidth(words, 600))) + 14 + (flagged ? 14 : 0) + (tied ? 12 : 0);
  const notes = noted ? Math.max(...rows.map((row) => textWidth(row.note ?? "", 400, 11))) + 8 : 0;
  const right = numbers + notes + 4, width = Math.max(40, total - names - right);
  const domain = options.domain ?? logDomain([...rows.flatMap((row) => [row.main.low, row.main.high, row.alt?.low ?? Number.NaN, row.alt?.high ?? Number.NaN]), options.from ?? Number.NaN]);
  const ticks = logTicks(domain, width, options.tick);
  const points = rows.flatMap((row, y) => {
    const put = (value: Interval | null | undefined, hollow: boolean, act: string | null) =>
      value && Number.isFinite(value.mid) && value.mid > 0 ? [{ ...value, y, row, hollow, act }] : [];
    return [...put(row.alt, true, row.altAct ?? row.act), ...put(row.main, false, row.act)];
  });
  const bands = rows.flatMap((row, y) => (row.tie ? [{ low: y - 0.5, high: y + 0.5 }] : []));
  const opacity = (row: Row) => (row.flag ? 0.45 : 1);
  const left = { frameAnchor: "left" as const, textAnchor: "start" as const };
  const svg = plot({
    width: total, height, marginLeft: names, marginRight: right, marginTop: 0, marginBottom: FOOT,
    style: { background: "transparent", color: look.ink, fontFamily: look.font, fontSize: "12px", overflow: "visible" },
    x: { type: "log", domain, clamp: true },
    y: { domain: [-0.5, rows.length - 0.5], axis: null, reverse: true },
    marks: [
      rect(bands, { y1: "low", y2: "high", fill: look.wash, insetLeft: -names, insetRight: -right }),
      axisX({ ticks: ticks.values, text: ticks.format, tickSize: 3, color: look.soft, fontSize: 11, label: null }),
      ruleY(rows, { y: (_, y) => y, stroke: look.grid, strokeDasharray: "1 3" }),
      ...(options.joined ? [ruleY(rows.filter((row) => row.alt), { x1: (row: Row) => row.main.mid, x2: (row: Row) => row.alt?.mid, y: (row: Row) => rows.indexOf(row), stroke: (row: Row) => colour(row.library), strokeWidth: 1.5, strokeOpacity: 0.45 })] : []),
      ruleY(points, { x1: "low", x2: "high", y: "y", stroke: (point) => colour(point.row.library), strokeWidth: 2, strokeOpacity: (point) => opacity(point.row) }),
      ...(["low", "high"] as const).map((end) => dot(points, { x: end, y: "y", symbol: END, stroke: (point) => colour(point.row.library), strokeWidth: 1.5, strokeOpacity: (point) => opacity(point.row) })),
      dot(points, {
        x: "mid", y: "y", r: 5, symbol: (point: (typeof points)[0]) => shape(point.row.library), className: "points",
        fill: (point: (typeof points)[0]) => (point.hollow ? look.surface : colour(point.row.library)), stroke: (point: (typeof points)[0]) => colour(point.row.library), strokeWidth: 1.4, opacity: (point: (typeof points)[0]) => opacity(point.row),
      }),
      dot(rows, { ...left, y: (_, y) => y, dx: 8 - names, r: 4.6, symbol: (row: Row) => shape(row.library), fill: (row: Row) => colour(row.library), opacity }),
      text(rows, { ...left, y: (_, y) => y, dx: 19 - names, text: "name", fill: look.ink, lineWidth: Math.max(2, (names - 22) / 12), textOverflow: "ellipsis" }),
      text(rows, { frameAnchor: "right", textAnchor: "end", y: (_, y) => y, dx: numbers, text: (row: Row) => stateOf(row) + row.text, fill: look.ink, fontWeight: 600 }),
      ...(noted ? [text(rows, { frameAnchor: "right", textAnchor: "start", y: (_, y) => y, dx: numbers + 7, text: (row: Row) => row.note ?? "", fill: look.soft, fontSize: 11 })] : []),
      rect(rows, { y1: (_: Row, y: number) => y - 0.5, y2: (_: Row, y: number) => y + 0.5, insetLeft: -names, insetRight: -right, fill: "transparent", className: "rows" }),
    ],
  }) as SVGSVGElement;
  const label = (row: Row) => `${row.name}: ${row.text}${row.tie ? ", level with the best" : row.vague ? ", too uncertain to compare" : ""}${row.flag ? ", suspect" : ""}`;
  bind(svg, ".rows", rows.map((row) => ({ library: row.library, act: row.act, label: label(row) })), true);
  return svg;
}
