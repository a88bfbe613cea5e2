
"use strict";
function compare(a, b, sign) {
  var x = a.dataset.key;
  var y = b.dataset.key;
  if (x === undefined) {
    return y === undefined ? sign * a.textContent.localeCompare(b.textContent) : 1;
  }
  return y === undefined ? -1 : sign * (Number(x) - Number(y));
}
document.querySelectorAll("table.sortable").forEach(function (table) {
  var body = table.tBodies[0];
  var rows = Array.from(body.rows);
  var heads = Array.from(table.tHead.rows[0].cells);
  heads.forEach(function (head, column) {
    var button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", function () {
      var falling = head.getAttribute("aria-sort") === "ascending";
      heads.forEach(function (other) {
        other.removeAttribute("aria-sort");
      });
      head.setAttribute("aria-sort", falling ? "descending" : "ascending");
      rows.sort(function (a, b) {
        return compare(a.cells[column], b.cells[column], falling ? -1 : 1);
      });
      body.append(...rows);
    });
  });
});
