// Libraries by two numbers.
import { axisX, axisY, dot, gridX, gridY, plot, text } from "@observablehq/plot";
import { colour, shape } from "../marks";
import { bind, logDomain, logTicks, theme } from "./chart";

export interface Place { library: string; name: string; x: number; y: number; label: string }
export interface ScatterOptions { xTick: (value: number) => string; yTick: (value: number) => string; xLabel: string; yLabel: string }

export function scatter(places: Place[], options: ScatterOptions, total: number): SVGSVGElement {
  const look = theme(), height = 340, left = 52, right = 100, bottom = 40, top = 20;
  const xDomain = logDomain(places.map((place) => place.x), 4), yDomain = logDomain(places.map((place) => place.y), 2);
  const x = logTicks(xDomain, total - left - right, options.xTick, 60), y = logTicks(yDomain, height - top - bottom, options.yTick, 30);
  const svg = plot({
    width: total, height, marginLeft: left, marginRight: right, marginTop: top, marginBottom: bottom,
    style: { background: "transparent", color: look.ink, fontFamily: look.font, fontSize: "12px", overflow: "visible" },
    x: { type: "log", domain: xDomain }, y: { type: "log", domain: yDomain, reverse: true },
    marks: [
      gridX({ ticks: x.values, stroke: look.grid, strokeOpacity: 1 }),
      gridY({ ticks: y.values, stroke: look.grid, strokeOpacity: 1 }),
      axisX({ ticks: x.values, text: x.format, tickSize: 3, color: look.soft, fontSize: 11, label: options.xLabel, labelArrow: "none", labelAnchor: "center" }),
      axisY({ ticks: y.values, text: y.format, tickSize: 3, color: look.soft, fontSize: 11, label: options.yLabel, labelArrow: "none" }),
      text(places, { x: "x", y: "y", text: "name", dx: 9, textAnchor: "start", fill: look.ink, fontSize: 11, className: "names" }),
      dot(places, { x: "x", y: "y", r: 5.5, symbol: (place: Place) => shape(place.library), fill: (place: Place) => colour(place.library), className: "points" }),
    ],
  }) as SVGSVGElement;
  const marks = places.map((place) => ({ library: place.library, act: `l${place.library}`, label: place.label }));
  bind(svg, ".points", marks, true);
  bind(svg, ".names", marks, false);
  return svg;
}
