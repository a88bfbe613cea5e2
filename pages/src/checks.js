// What a careful reader would complain about in a page, as it is laid out right now. Given whether that is for paper and
// how wide the window is, which phones do not say themselves, for they shrink what is too wide. Returns a list of
// complaints, empty for a sound page.
(print, width) => {
  const faults = [];
  const short = (text) => {
    const words = text.trim().replace(/\s+/g, " ");
    return words.length > 60 ? words.slice(0, 59) + "…" : words;
  };
  const shown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });

  // Colours as red, green, blue and opacity, from what the browser worked out.
  const colour = (text) => {
    const found = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text);
    return found ? [+found[1], +found[2], +found[3], found[4] === undefined ? 1 : +found[4]] : null;
  };
  const over = (front, back) => [0, 1, 2].map((i) => front[i] * front[3] + back[i] * (1 - front[3])).concat(1);
  const lightness = (c) => {
    const part = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    return 0.2126 * part(c[0]) + 0.7152 * part(c[1]) + 0.0722 * part(c[2]);
  };
  const contrast = (a, b) => {
    const [x, y] = [lightness(a), lightness(b)].sort((m, n) => n - m);
    return (x + 0.05) / (y + 0.05);
  };
  const white = [255, 255, 255, 1];
  // What lies behind an element of the page: all backgrounds up to the canvas. Paper is white, and browsers print no
  // background unless they are told to.
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      const back = colour(style.backgroundColor);
      if (back && back[3] > 0 && (!print || style.printColorAdjust === "exact")) layers.push(back);
    }
    const dark = !print && matchMedia("(prefers-color-scheme: dark)").matches;
    const canvas = dark ? [18, 18, 18, 1] : white;
    return layers.reduceRight((back, front) => over(front, back), canvas);
  };
  // Letters of 24 pixels, or of 18.66 in bold, need less (WCAG 2.2, 1.4.3).
  const legible = (style, front, back, words, scale) => {
    const size = parseFloat(style.fontSize) * scale;
    const large = size >= 24 || (size >= 18.66 && parseInt(style.fontWeight) >= 600);
    const found = contrast(over(front, back), back);
    if (found < (large ? 3 : 4.5)) faults.push(`contrast of only ${found.toFixed(2)}: "${short(words)}"`);
  };

  // The page as a whole.
  const root = document.documentElement;
  // On paper what asks for a page of its own lies across: 269 mm, A4 without margins of 14 mm, at 96 dots an inch.
  const across = (element) => {
    for (let at = element; at && print; at = at.parentElement) if (getComputedStyle(at).page !== "auto") return true;
    return false;
  };
  const sheet = print && [...document.querySelectorAll(".scroll")].some(across) ? 1016 : width;
  if (root.scrollWidth > sheet) faults.push(`the page is ${root.scrollWidth} wide, the window ${sheet}`);
  if (!document.querySelector("h1")?.textContent.trim()) faults.push("the page has no title");

  const scrolled = (element) => {
    for (let at = element; at && at !== document.body; at = at.parentElement)
      if (["auto", "scroll"].includes(getComputedStyle(at).overflowX)) return true;
    return false;
  };

  // Words of the page: their boxes, colours and sizes.
  const boxes = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || parent.closest("svg, script, style") || !shown(parent)) continue;
    const style = getComputedStyle(parent);
    const front = colour(style.color);
    if (!front) faults.push(`a colour that cannot be judged, ${style.color}: "${short(node.data)}"`);
    else legible(style, front, behind(parent), node.data, 1);
    if (parseFloat(style.fontSize) < (print ? 9.5 : 11)) faults.push(`letters of ${style.fontSize}: "${short(node.data)}"`);
    const range = document.createRange();
    range.selectNodeContents(node);
    // Words in a frame that scrolls may lie outside the window, but for the caption of a table.
    const scrolls = scrolled(parent) && !parent.closest("caption");
    for (const box of range.getClientRects()) {
      if (box.width < 1 || box.height < 1) continue;
      boxes.push({ box, words: node.data, parent });
      const outside = box.left < -1 || box.right > (across(parent) ? sheet : width) + 1;
      if (outside && !scrolls) faults.push(`words outside the window: "${short(node.data)}"`);
    }
  }
  // Words on words. Boxes are as high as lines, so those of neighbouring lines may touch.
  const overlap = (a, b) => {
    const level = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return level > 1.5 && down > 0.35 * Math.min(a.height, b.height);
  };
  boxes.sort((a, b) => a.box.top - b.box.top);
  boxes.forEach((one, i) => {
    for (let j = i + 1; j < boxes.length && boxes[j].box.top < one.box.bottom; j++) {
      // Boxes of one element are parts of one sentence.
      if (one.parent !== boxes[j].parent && overlap(one.box, boxes[j].box))
        faults.push(`"${short(one.words)}" and "${short(boxes[j].words)}" lie on each other`);
    }
  });
  // What is cut off. On paper nothing scrolls.
  for (const element of document.body.querySelectorAll("*")) {
    if (element.closest("svg") || !shown(element)) continue;
    const flow = getComputedStyle(element).overflowX;
    const cut = flow === "hidden" || flow === "clip" || (print && flow !== "visible");
    if (cut && element.scrollWidth > element.clientWidth + 1)
      faults.push(`cut at ${element.clientWidth} of ${element.scrollWidth}: "${short(element.textContent)}"`);
  }

  // Charts.
  for (const chart of document.querySelectorAll("svg")) {
    if (!shown(chart)) continue;
    const name = short(chart.querySelector("title")?.textContent ?? "");
    const say = (words) => faults.push(`chart "${name}": ${words}`);
    if (!name) say("has no title");
    const frame = chart.getBoundingClientRect();
    const scale = chart.viewBox.baseVal?.width ? frame.width / chart.viewBox.baseVal.width : 1;
    if (frame.right > width + 1) say(`ends at ${frame.right}, outside the window`);
    const paper = behind(chart.parentElement);
    const inside = (box, slack) =>
      box.left >= frame.left - 1 && box.right <= frame.right + 1 &&
      box.top >= frame.top - slack && box.bottom <= frame.bottom + slack;
    // Marks: lines, dots and bars lie in the frame and are told from the paper (WCAG 2.2, 1.4.11).
    const fields = [];
    for (const mark of chart.querySelectorAll("rect, path, circle, line, polygon, polyline, ellipse")) {
      const box = mark.getBoundingClientRect();
      if (box.width + box.height > 0 && !inside(box, 1)) say(`a ${mark.tagName} leaves the frame`);
      const style = getComputedStyle(mark);
      const fill = style.fill === "none" ? null : colour(style.fill);
      if (fill && fill[3] > 0) fields.push({ mark, box, fill: over(fill, paper) });
      if (mark.matches(".line, .mark, .dot")) {
        const ink = mark.matches(".line") ? colour(style.stroke) : fill ?? colour(style.stroke);
        if (!ink) say(`a mark of a colour that cannot be judged, ${style.stroke}`);
        else if (contrast(over(ink, paper), paper) < 3) say(`a mark of too little contrast`);
      }
    }
    // Lines that are told apart without their colours.
    const styles = new Map();
    for (const line of chart.querySelectorAll("path.line")) {
      const dots = line.nextElementSibling?.matches(".dot") ? line.nextElementSibling : null;
      const mark = dots ? `${dots.tagName} ${dots.getAttribute("class").replace(/series\d+/, "")}` : "";
      const looks = `${getComputedStyle(line).strokeDasharray} ${mark}`;
      if (styles.has(looks)) say(`"${styles.get(looks)}" and "${line.textContent.trim()}" look alike without colour`);
      styles.set(looks, line.textContent.trim());
    }
    // Letters.
    const letters = [...chart.querySelectorAll("text")].filter((text) => text.textContent.trim() && shown(text));
    const placed = letters.map((text) => ({ text, box: text.getBoundingClientRect(), words: text.textContent }));
    placed.forEach(({ text, box, words }, i) => {
      const style = getComputedStyle(text);
      if (!inside(box, 0.2 * box.height)) say(`cut: "${short(words)}"`);
      if (parseFloat(style.fontSize) * scale < 9) say(`letters of ${parseFloat(style.fontSize) * scale}: "${short(words)}"`);
      const front = colour(style.fill);
      const halo = style.paintOrder.startsWith("stroke") ? colour(style.stroke) : null;
      const middle = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
      const under = fields.findLast(({ mark, box: field }) =>
        mark.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING && mark.tagName === "rect" &&
        field.left <= middle[0] && middle[0] <= field.right && field.top <= middle[1] && middle[1] <= field.bottom);
      const back = halo ?? under?.fill ?? paper;
      if (!front) say(`letters of a colour that cannot be judged, ${style.fill}`);
      else legible(style, front, back, words, scale);
      for (const other of placed.slice(i + 1))
        if (overlap(box, other.box)) say(`"${short(words)}" and "${short(other.words)}" lie on each other`);
    });
  }
  return faults;
}
