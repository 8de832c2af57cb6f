// Where a library stands in each quadrant of the headline.
import { data, interval, type Interval, type Quadrant } from "../data";
import { number, times } from "../format";

const LENGTH = { short: "16 to 256 bytes", bulk: "4 KiB and more", call: "whole calls", "public-key": "public keys and integers" };
export const quadrantName = (quadrant: Quadrant) => `${quadrant.modern ? "Modern" : "Legacy"}, ${LENGTH[quadrant.length]}`;
const ends = (ratio: Interval) => (ratio.few ? "too few algorithms" : `${number(ratio.low)} to ${number(ratio.high)}`);

export function standings(id: string): [string, string][] {
  return data.headline.quadrants.flatMap((quadrant): [string, string][] => {
    const row = quadrant.overall.rows.find((one) => one.library === id);
    if (!row) return [];
    const ratio = interval(row.ratio), told = row.narrow ? `(${times(ratio.mid)})` : times(ratio.mid);
    return [[quadrantName(quadrant), `${told}, ${ends(ratio)}; ${row.algorithms} of ${quadrant.overall.algorithms} algorithms`]];
  });
}
