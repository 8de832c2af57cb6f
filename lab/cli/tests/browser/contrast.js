// Compares the colour of every visible text with the colour behind the text, by the formula of
// WCAG 2. Returns the texts whose contrast ratio is below the ratio that WCAG requires.
(() => {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (colour) => {
    if (!known.has(colour)) {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 1, 1);
      known.set(colour, [...pen.getImageData(0, 0, 1, 1).data]);
    }
    return known.get(colour);
  };
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ratio = (a, b) => {
    const [x, y] = [luminance(a), luminance(b)].sort((m, n) => n - m);
    return (x + 0.05) / (y + 0.05);
  };
  const behind = (node) => {
    for (let e = node; e; e = e.parentElement) {
      const colour = rgba(getComputedStyle(e).backgroundColor);
      if (colour[3] > 200) return colour;
    }
    return rgba(getComputedStyle(document.body).backgroundColor);
  };
  const low = [];
  let texts = 0, marks = 0;
  for (const e of document.querySelectorAll("body *")) {
    if (e.closest("script, style, noscript, template") || !e.checkVisibility()) continue;
    const style = getComputedStyle(e);
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (e instanceof SVGElement) {
      if (e.tagName === "text" && own && e.textContent !== "= tie" && e.textContent !== "=") {
        texts++;
        const r = ratio(rgba(style.fill), e.dataset.on ? rgba(e.dataset.on) : behind(e.closest("div")));
        if (r < 4.5) low.push(`${r.toFixed(2)} chart text ${e.textContent} ${style.fill}`);
      } else if (e.tagName === "path" && e.closest(".swatch")) {
        marks++;
        const r = ratio(rgba(style.fill), behind(e.closest(".swatch")));
        if (r < 3) low.push(`${r.toFixed(2)} mark ${style.fill}`);
      }
    } else if (own) {
      texts++;
      const r = ratio(rgba(style.color), behind(e));
      if (r < 4.5) low.push(`${r.toFixed(2)} ${e.tagName}.${e.className} ${e.textContent.slice(0, 40)}`);
    }
  }
  // The tie badges of the charts, and the placeholder of the search field.
  const token = (name) => rgba(getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  for (const [text, back] of [["--tie", "--tie-wash"], ["--bad", "--bad-wash"], ["--warn", "--warn-wash"], ["--soft", "--surface"], ["--soft", "--sunken"], ["--soft", "--page"], ["--accent", "--surface"], ["--accent", "--page"], ["--ink", "--sunken"]]) {
    const r = ratio(token(text), token(back));
    if (r < 4.5) low.push(`${r.toFixed(2)} ${text} on ${back}`);
  }
  return { low: [...new Set(low)], texts, marks };
})()
