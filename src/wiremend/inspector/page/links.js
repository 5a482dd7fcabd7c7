// The lines between the two sides: from what is remembered to what it became.

const NAMESPACE = "http://www.w3.org/2000/svg";

/** Draw the lines of the rows that are mounted; lines whose other end is far away lead there. */
export function drawLinks(svg, scroller, list) {
  svg.replaceChildren();
  if (getComputedStyle(svg).display === "none") return;
  const frame = scroller.getBoundingClientRect();
  const seen = new Set();
  for (const index of list.mounted.keys()) {
    for (const link of list.data(index)?.links ?? []) {
      const key = `${link.left}-${link.right}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const start = endOf(list, frame, scroller, "left", link.left, link.leftRow);
      const end = endOf(list, frame, scroller, "right", link.right, link.rightRow);
      if (start && end) svg.append(path(start, end, link));
    }
  }
}

function endOf(list, frame, scroller, side, number, row) {
  const node = list.mounted.get(row);
  const card = node?.querySelector(`.card[data-side="${side}"][data-number="${number}"]`);
  if (card) {
    const box = card.getBoundingClientRect();
    const x = side === "left" ? box.right : box.left;
    return { x: x - frame.left, y: box.top - frame.top + Math.min(19, box.height / 2) };
  }
  const any = list.canvas.querySelector(`.side.${side}`);
  if (!any) return null;
  const box = any.getBoundingClientRect();
  const y = list.offset(row) - scroller.scrollTop + 19;
  const x = side === "left" ? box.right : box.left;
  return { x: x - frame.left, y: Math.max(-400, Math.min(frame.height + 400, y)) };
}

function path(start, end, link) {
  const node = document.createElementNS(NAMESPACE, "path");
  const bend = Math.max(16, (end.x - start.x) / 2);
  node.setAttribute("d",
    `M${start.x},${start.y} C${start.x + bend},${start.y} ${end.x - bend},${end.y} ${end.x},${end.y}`);
  const state = link.inOrder === false ? "moved" : link.changed ? "changed" : "same";
  node.setAttribute("class", state);
  return node;
}
