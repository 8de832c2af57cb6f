// Sections and groups of the page, and its table of contents.
const root = document.getElementById("sections") as HTMLElement;
export const contents: [string, string][] = [];

export function section(id: string, title: string, short: string, note = ""): HTMLElement {
  const made = document.createElement("section");
  made.id = id;
  made.className = "wrap";
  made.innerHTML = `<h2>${title}</h2>${note ? `<p class="section-note">${note}</p>` : ""}`;
  root.append(made);
  contents.push([id, short]);
  return made;
}
/** A group of panels under a heading; returns the grid for the panels. */
export function group(parent: Element, title: string, note = "", isClosed = false): HTMLElement {
  const made = document.createElement(isClosed ? "details" : "div");
  made.className = isClosed ? "group more" : "group";
  const small = note ? `<small>${note}</small>` : "";
  made.innerHTML = isClosed ? `<summary>${title}${small}</summary>` : `<h3>${title}${small}</h3>`;
  const grid = document.createElement("div");
  grid.className = "grid";
  made.append(grid);
  parent.append(made);
  return grid;
}
/** Shows only the first panels of long groups, until the user asks for all. How many the first
 * are, report.css decides by the width of the page. */
export function shortenGroups() {
  for (const grid of document.querySelectorAll<HTMLElement>("#sections .group > .grid")) {
    const count = grid.querySelectorAll(":scope > .panel").length;
    if (count <= 3) continue;
    grid.classList.add("few");
    const button = document.createElement("button");
    button.type = "button";
    button.className = `quiet all ${count > 9 ? "" : "narrow"}`;
    button.textContent = `Show all ${count} charts`;
    button.addEventListener("click", () => { grid.classList.remove("few"); button.remove(); (grid.querySelector(".panel:nth-child(4) button, .panel button") as HTMLElement | null)?.focus({ preventScroll: true }); });
    grid.after(button);
  }
}
/** Shows all panels of all groups, for a filter, which leaves few of them. */
export function lengthenGroups(isLong: boolean) {
  document.getElementById("sections")?.classList.toggle("long", isLong);
}
