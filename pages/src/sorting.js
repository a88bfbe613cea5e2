// Clicks every heading that sorts, twice, and returns complaints about rows that are out of order after it. Cells are
// sorted by the number that they carry, those without one last, or by their words where none of a column has a number.
() => {
  const faults = [];
  for (const table of document.querySelectorAll("table")) {
    const headings = [...table.querySelectorAll("thead th")];
    if (table.matches(".sortable") && !headings.every((heading) => heading.querySelector("button")))
      faults.push("a table cannot be sorted by all of its headings");
    for (const [column, heading] of headings.entries()) {
      const button = heading.querySelector("button");
      if (!button) continue;
      const name = heading.textContent.trim();
      const cells = () => [...table.tBodies[0].rows].map((row) => row.cells[column]);
      const before = cells().length;
      const directions = new Set();
      for (const _ of [1, 2]) {
        button.click();
        const direction = heading.getAttribute("aria-sort");
        directions.add(direction);
        const sign = direction === "descending" ? -1 : 1;
        const numbers = cells().some((cell) => cell.dataset.key !== undefined);
        const follows = (a, b) => {
          if (!numbers) return sign * a.textContent.localeCompare(b.textContent) <= 0;
          if (b.dataset.key === undefined) return true;
          return a.dataset.key !== undefined && sign * (a.dataset.key - b.dataset.key) <= 0;
        };
        const now = cells();
        if (!now.every((cell, i) => i === 0 || follows(now[i - 1], cell)))
          faults.push(`"${name}" does not sort its rows ${direction}`);
        if (now.length !== before) faults.push(`"${name}" loses rows`);
      }
      if (!directions.has("ascending") || !directions.has("descending"))
        faults.push(`"${name}" does not say which way it sorts`);
    }
  }
  return faults;
}
