function drawScene(frame) {
  const [context, width, height] = cleared(get('scene'));
  const margin = 34, spanX = run.high[0] - run.low[0], spanY = run.high[1] - run.low[1];
  const scale = Math.min((width - 2 * margin) / spanX, (height - 2 * margin) / spanY);
  const left = (width - scale * spanX) / 2, bottom = (height + scale * spanY) / 2;
  const place = (x, y) => [left + scale * (x - run.low[0]), bottom - scale * (y - run.low[1])];
  const parts = Math.max(2, Math.round(scale * Math.max(spanX, spanY) / 80));
  const step = Math.max(spanX, spanY) / parts;
  const [x0, x1] = [run.low[0] - left / scale, run.high[0] + left / scale];
  const [y0, y1] = [run.low[1] - (height - bottom) / scale, run.high[1] + (height - bottom) / scale];
  context.fillStyle = GREY;
  for (const [x, label] of ticks(x0, x1, (x1 - x0) / step)) {
    stroke(context, [[place(x, 0)[0], 0], [place(x, 0)[0], height]], PALE, 1);
    context.fillText(label, place(x, 0)[0] + 4, height - 6);
  }
  for (const [y, label] of ticks(y0, y1, (y1 - y0) / step)) {
    stroke(context, [[0, place(0, y)[1]], [width, place(0, y)[1]]], PALE, 1);
    context.fillText(label + ' m', 6, place(0, y)[1] - 4);
  }
  for (const trace of run.traces) {
    context.globalAlpha = 0.35;
    stroke(context, trace.path.map(([x, y]) => place(x, y)), trace.colour, 1.5);
    context.globalAlpha = 1;
    stroke(context, trace.path.slice(0, frame + 1).map(([x, y]) => place(x, y)), trace.colour, 2.5);
  }
  for (const shape of run.shapes) {
    const pose = shape.pose[Math.min(frame, shape.pose.length - 1)];
    const points = shape.outline.map(vertex => vertex[0] === null ? [null, null]
      : place(...[0, 1].map(axis => vertex.reduce(
          (sum, share, k) => sum + share * pose[2 * k + 2 + axis], pose[axis]))));
    context.setLineDash(shape.dashed ? [6, 5] : []);
    stroke(context, shape.fill ? [...points, points[0]] : points, shape.stroke, 1.5 * shape.width);
    if (shape.fill) {
      context.fillStyle = shape.fill;
      context.fill();
      context.stroke();
    }
    context.setLineDash([]);
  }
}
