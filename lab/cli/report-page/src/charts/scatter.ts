// Libraries by two numbers.
import { axisX, axisY, dot, gridX, gridY, plot, text } from "@observablehq/plot";
import { colour, shape } from "../marks";
import { bind, logDomain, logTicks, textWidth, theme } from "./chart";

export interface Place { library: string; name: string; x: number; y: number; label: string }
export interface ScatterOptions { xTick: (value: number) => string; yTick: (value: number) => string; xLabel: string; yLabel: string }

export function scatter(places: Place[], options: ScatterOptions, total: number): SVGSVGElement {
  const look = theme(), height = 340, left = 52, right = 100, bottom = 46, top = 20;
  const xDomain = logDomain(places.map((place) => place.x), 4), yDomain = logDomain(places.map((place) => place.y), 2);
  const x = logTicks(xDomain, total - left - right, options.xTick, 60), y = logTicks(yDomain, height - top - bottom, options.yTick, 30, true);
  // A label goes to the right of its mark, or where it is free: left, below, above.
  const xOf = (value: number) => left + (total - left - right) * (Math.log(value / xDomain[0]) / Math.log(xDomain[1] / xDomain[0]));
  const yOf = (value: number) => top + (height - top - bottom) * (Math.log(value / yDomain[0]) / Math.log(yDomain[1] / yDomain[0]));
  interface Box { x1: number; x2: number; y1: number; y2: number }
  const around = (x: number, y: number, w: number, h: number): Box => ({ x1: x - w / 2, x2: x + w / 2, y1: y - h / 2, y2: y + h / 2 });
  const taken = places.map((place) => around(xOf(place.x), yOf(place.y), 11, 11));
  const labelled = places.map((place) => {
    const x = xOf(place.x), y = yOf(place.y), wide = textWidth(place.name, 400, 11);
    const choices = [
      { dx: 9, dy: 0, anchor: "start" as const, box: around(x + 9 + wide / 2, y, wide, 11) },
      { dx: -9, dy: 0, anchor: "end" as const, box: around(x - 9 - wide / 2, y, wide, 11) },
      { dx: 0, dy: 13, anchor: "middle" as const, box: around(x, y + 13, wide, 11) },
      { dx: 0, dy: -13, anchor: "middle" as const, box: around(x, y - 13, wide, 11) },
    ];
    const isFree = ({ box }: (typeof choices)[0]) => box.x1 > left && box.x2 < total && taken.every((other) => box.x2 < other.x1 || other.x2 < box.x1 || box.y2 < other.y1 || other.y2 < box.y1);
    const found = choices.find(isFree) ?? choices[0];
    taken.push(found.box);
    return { ...place, ...found };
  });
  const svg = plot({
    width: total, height, marginLeft: left, marginRight: right, marginTop: top, marginBottom: bottom,
    style: { background: "transparent", color: look.ink, fontFamily: look.font, fontSize: "12px", overflow: "visible" },
    x: { type: "log", domain: xDomain }, y: { type: "log", domain: yDomain, reverse: true },
    marks: [
      gridX({ ticks: x.values, stroke: look.grid, strokeOpacity: 1 }),
      gridY({ ticks: y.values, stroke: look.grid, strokeOpacity: 1 }),
      axisX({ ticks: x.values, text: x.format, tickSize: 3, color: look.soft, fontSize: 11, label: options.xLabel, labelArrow: "none", labelAnchor: "center" }),
      axisY({ ticks: y.values, text: y.format, tickSize: 3, color: look.soft, fontSize: 11, label: options.yLabel, labelArrow: "none" }),
      ...labelled.map((one) => text([one], { x: "x", y: "y", text: "name", dx: one.dx, dy: one.dy, textAnchor: one.anchor, fill: look.ink, fontSize: 11, className: "names" })),
      dot(places, { x: "x", y: "y", r: 5.5, symbol: (place: Place) => shape(place.library), fill: (place: Place) => colour(place.library), className: "points" }),
    ],
  }) as SVGSVGElement;
  const marks = places.map((place) => ({ library: place.library, act: `l${place.library}`, label: place.label }));
  bind(svg, ".points", marks, true);
  svg.querySelectorAll<SVGElement>(".names").forEach((node, place) => { node.dataset.lib = places[place]?.library; });
  return svg;
}
