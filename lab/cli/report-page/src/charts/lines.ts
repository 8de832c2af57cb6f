// A line for each library, with the library's name at its end. The eight fastest are drawn
// strongly; the others are faint until they are pointed at.
import { areaY, axisX, axisY, dot, gridY, line, plot, ruleX, text } from "@observablehq/plot";
import { colour, dash, shape } from "../marks";
import { bind, logDomain, logTicks, settle, textWidth, theme, type Domain, type Mark } from "./chart";

export interface Point { x: number; low: number; mid: number; high: number; act: string | null; text: string }
export interface Series { library: string; name: string; points: Point[]; /** Between marks, the points are not measured: no marks are drawn. */ smooth?: boolean }
export interface LinesOptions {
  domain?: Domain; height?: number; tick: (value: number) => string; xText: (value: number) => string; xTicks?: number[];
  higher: boolean; /** A place on the axis that is marked. */ at?: number; bands?: boolean;
}
export const STRONG = 8;

/** Series, the best first. The place that decides is the last one. */
export function sorted(series: Series[], higher: boolean): Series[] {
  const last = (one: Series) => one.points[one.points.length - 1]?.mid ?? Number.NaN;
  return [...series].sort((a, b) => (higher ? last(b) - last(a) : last(a) - last(b)));
}

export function lines(all: Series[], options: LinesOptions, total: number): SVGSVGElement {
  const look = theme(), height = options.height ?? 320;
  const series = sorted(all, options.higher), strong = series.slice(0, STRONG);
  const labels = total > 420;
  const right = labels ? Math.min(total * 0.3, Math.max(40, ...strong.map((one) => textWidth(one.name))) + 30) : 14;
  const left = 52, bottom = 24, top = 8, width = total - left - right;
  const points = series.flatMap((one, place) => one.points.filter((point) => Number.isFinite(point.mid) && point.mid > 0).map((point) => ({ ...point, one, strong: place < STRONG })));
  const xs = [...new Set(points.map((point) => point.x))].sort((a, b) => a - b);
  const reach = xs.length > 1 ? (xs[xs.length - 1] / xs[0]) ** 0.03 : 2;
  const xDomain: Domain = [xs[0] / reach, xs[xs.length - 1] * reach];
  const domain = options.domain ?? logDomain(points.flatMap((point) => [point.low, point.high]), 2);
  const y = logTicks(domain, height - top - bottom, options.tick, 30, true);
  const marked = options.xTicks ?? (xs.length > 12 ? logTicks(xDomain, width, options.xText, 60).values : xs);
  let lastTick = Number.NEGATIVE_INFINITY;
  const xTicks = marked.filter((value) => {
    const at = (Math.log(value / xDomain[0]) / Math.log(xDomain[1] / xDomain[0])) * width;
    if (at - lastTick < 42) return false;
    lastTick = at;
    return true;
  });
  const ends = labels ? strong.filter((one) => one.points.length) : [];
  const inner = height - top - bottom;
  const yOf = (value: number) => top + inner * (1 - Math.log(value / domain[0]) / Math.log(domain[1] / domain[0]));
  const placed = settle(ends.map((one) => yOf(one.points[one.points.length - 1].mid)), 14, height - bottom);
  const faint = (point: (typeof points)[0]) => (point.strong ? 0.95 : 0.2);
  const marks = points.filter((point) => !point.one.smooth);
  const svg = plot({
    width: total, height, marginLeft: left, marginRight: right, marginTop: top, marginBottom: bottom,
    style: { background: "transparent", color: look.ink, fontFamily: look.font, fontSize: "12px", overflow: "visible" },
    x: { type: "log", domain: xDomain }, y: { type: "log", domain, clamp: true },
    marks: [
      gridY({ ticks: y.values, stroke: look.grid, strokeOpacity: 1 }),
      axisX({ ticks: xTicks, text: options.xText, tickSize: 3, color: look.soft, fontSize: 11, label: null }),
      axisY({ ticks: y.values, text: y.format, tickSize: 3, color: look.soft, fontSize: 11, label: null }),
      ...(options.at ? [ruleX([options.at], { stroke: look.soft, strokeDasharray: "3 3" })] : []),
      ...(options.bands ? [areaY(points.filter((point) => point.strong), { x: "x", y1: "low", y2: "high", z: (point) => point.one.library, fill: (point) => colour(point.one.library), fillOpacity: 0.14, className: "bands" })] : []),
      ...series.map((one) => line(points.filter((point) => point.one === one), { x: "x", y: "mid", stroke: colour(one.library), strokeWidth: 1.9, strokeDasharray: dash(one.library), strokeOpacity: strong.includes(one) ? 0.95 : 0.2, className: "line" })),
      ruleX(marks, { x: "x", y1: "low", y2: "high", stroke: (point) => colour(point.one.library), strokeWidth: 1.6, strokeOpacity: faint, className: "ranges" }),
      dot(marks, { x: "x", y: "mid", r: 4.4, symbol: (point: (typeof points)[0]) => shape(point.one.library), fill: (point: (typeof points)[0]) => colour(point.one.library), fillOpacity: faint, className: "points" }),
      dot(marks, { x: "x", y: "mid", r: 9, fill: "transparent", className: "hits" }),
      dot(ends, { frameAnchor: "right", dx: 13, y: (_, place) => valueAt(placed[place]), r: 4.4, symbol: (one: Series) => shape(one.library), fill: (one: Series) => colour(one.library), className: "ends" }),
      text(ends, { frameAnchor: "right", textAnchor: "start", dx: 22, y: (_, place) => valueAt(placed[place]), text: "name", fill: look.ink, lineWidth: Math.max(2, (right - 24) / 12), textOverflow: "ellipsis", className: "names" }),
    ],
  }) as SVGSVGElement;
  // The value whose place on the axis is that of a label.
  function valueAt(at: number) { return domain[0] * (domain[1] / domain[0]) ** (1 - (at - top) / inner); }
  const of = (list: typeof points, stop: boolean): Mark[] => list.map((point) => ({ library: point.one.library, act: stop ? point.act : null, label: `${point.one.name}, ${options.xText(point.x)}: ${point.text}` }));
  bind(svg, ".ranges", of(marks, false), false);
  bind(svg, ".points", of(marks, false), false);
  bind(svg, ".hits", of(marks, true), true);
  const named: Mark[] = ends.map((one) => ({ library: one.library, act: null, label: one.name }));
  bind(svg, ".ends", named, false);
  bind(svg, ".names", named, false);
  svg.querySelectorAll<SVGElement>(".line").forEach((group, place) => { group.dataset.lib = series[place]?.library; });
  return svg;
}
