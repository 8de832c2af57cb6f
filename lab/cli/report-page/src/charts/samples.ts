// Raw samples in the order of rounds, with the median, its interval and the quartiles.
import { axisX, axisY, dot, gridY, line, plot, rect, ruleY } from "@observablehq/plot";
import { data, samplesOf, spreadOf, type Cell } from "../data";
import { colour, shape } from "../marks";
import { theme } from "./chart";

export function sampleChart(cell: Cell, total: number): SVGSVGElement {
  const look = theme(), own = colour(cell.library), spread = spreadOf(cell);
  const values = samplesOf(cell).map((y, place) => ({ x: place * data.stride + 1, y }));
  const all = [...values.map((value) => value.y), cell.ns.low, cell.ns.high, spread.fastest].filter(Number.isFinite);
  const low = Math.min(...all), high = Math.max(...all), pad = (high - low) * 0.08 || low * 0.01 || 1;
  const last = Math.max(2, values.length * data.stride) + 0.5;
  return plot({
    width: total, height: 210, marginLeft: 64, marginBottom: 34, marginTop: 6, marginRight: 12,
    style: { background: "transparent", color: look.ink, fontFamily: look.font, fontSize: "12px" },
    x: { domain: [0.5, last] }, y: { domain: [low - pad, high + pad] },
    marks: [
      gridY({ stroke: look.grid, strokeOpacity: 1, ticks: 5 }),
      axisY({ ticks: 5, color: look.soft, label: null }),
      axisX({ ticks: Math.min(8, values.length), tickFormat: (x: number) => (Number.isInteger(x) ? String(x) : ""), color: look.soft, label: "round", labelAnchor: "center", labelArrow: "none" }),
      rect([0], { x1: 0.5, x2: last, y1: spread.quarter, y2: spread.threeQuarters, fill: own, fillOpacity: 0.1 }),
      rect([0], { x1: 0.5, x2: last, y1: cell.ns.low, y2: cell.ns.high, fill: own, fillOpacity: 0.28 }),
      ruleY([cell.ns.mid], { stroke: own, strokeWidth: 1.5 }),
      line(values, { x: "x", y: "y", stroke: own, strokeWidth: 0.8, strokeOpacity: 0.4 }),
      dot(values, { x: "x", y: "y", r: 3.4, fill: own, symbol: shape(cell.library) }),
    ],
  }) as SVGSVGElement;
}
