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
