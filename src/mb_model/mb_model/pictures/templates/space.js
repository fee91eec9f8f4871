/* The scene in space: WebGL draws it, a canvas above it takes names and gestures. */
const MARGIN = 1.06, VIEW = Math.tan(14 * Math.PI / 180);
const view = { azimuth: run.azimuth, tilt: run.tilt, zoom: 1, target: run.target.slice() };
const plus = (a, b, s) => a.map((v, i) => v + s * b[i]);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                         a[0] * b[1] - a[1] * b[0]];
const unit = a => { const s = 1 / Math.hypot(...a); return a.map(v => s * v); };
const colour = text => [1, 3, 5].map(k => parseInt(text.slice(k, k + 2), 16) / 255);
const level = (() => {
  const start = Math.abs(run.up[2]) < 0.9
    ? [0, 1, 2].map(k => +(k === [0, 1, 2].reduce((a, b) =>
      Math.abs(run.up[b]) < Math.abs(run.up[a]) ? b : a))) : [1, 0, 0];
  const first = unit(plus(start, run.up, -dot(start, run.up)));
  return [first, cross(run.up, first)];
})();

const canvas = get('scene');
const gl = canvas.getContext('webgl', { alpha: false, stencil: true });
const overlay = document.createElement('canvas');
overlay.id = 'overlay';
overlay.setAttribute('aria-hidden', 'true');
get('stage').append(overlay);
if (!gl) get('title').textContent += ': this browser has no WebGL, which draws it';

const VERTEX = `
attribute vec3 place, normal;
uniform vec3 origin, x, z, up, sun, right, above, towards, target;
uniform vec2 size;
uniform float away, ground, flat_, thick, reach;
varying vec3 facing;
void main() {
  vec3 y = normalize(cross(z, x));
  vec3 at = origin + place.x * x + place.y * y + place.z * z;
  facing = normalize(normal.x * x + normal.y * y + normal.z * normalize(z));
  at += thick * facing;
  if (flat_ > 0.0) at -= (dot(at, up) - ground) / dot(sun, up) * sun;
  vec3 way = at - target;
  float depth = away - dot(way, towards);
  float near = max(away - 2.0 * reach, 0.02 * away), far = away + 4.0 * reach;
  gl_Position = vec4(dot(way, right) / size.x, dot(way, above) / size.y,
    ((far + near) * depth - 2.0 * far * near) / (far - near), depth);
}`;
const FRAGMENT = `
precision highp float;
uniform vec3 colour, up, light, half_;
uniform float lit, alpha;
varying vec3 facing;
void main() {
  vec3 n = normalize(facing);
  float bright = 0.58 + 0.13 * dot(n, up) + 0.36 * max(dot(n, light), 0.0);
  float gloss = 0.10 * pow(max(dot(n, half_), 0.0), 24.0);
  vec3 shaded = bright * mix(colour, vec3(1.0), 0.22) + gloss;
  gl_FragColor = vec4(mix(colour, shaded, lit), 1.0) * alpha;
}`;

const program = gl && (() => {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw gl.getShaderInfoLog(shader);
    gl.attachShader(made, shader);
  }
  gl.bindAttribLocation(made, 0, 'place');
  gl.bindAttribLocation(made, 1, 'normal');
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw gl.getProgramInfoLog(made);
  return made;
})();
const uniforms = {};
function set(name, value) {
  const where = uniforms[name] ??= gl.getUniformLocation(program, name);
  if (typeof value === 'number') gl.uniform1f(where, value);
  else gl[`uniform${value.length}f`](where, ...value);
}

function buffer(kind, numbers) {
  const made = gl.createBuffer();
  gl.bindBuffer(kind, made);
  gl.bufferData(kind, numbers, gl.STATIC_DRAW);
  return made;
}

/* What the graphics card holds of a mesh. */
function held(vertices, normals, triangles, edges) {
  return { vertices: buffer(gl.ARRAY_BUFFER, new Float32Array(vertices)),
           normals: buffer(gl.ARRAY_BUFFER, new Float32Array(normals)),
           triangles: buffer(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(triangles)),
           edges: buffer(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(edges)),
           faces: triangles.length, lines: edges.length };
}

/* The same of places that lines connect. */
function loose(places) {
  return { vertices: buffer(gl.ARRAY_BUFFER, new Float32Array(places)),
           normals: buffer(gl.ARRAY_BUFFER, new Float32Array(places.map(() => 1))),
           count: places.length / 3 };
}

/* The lines of the floor's grid, and the width of a cell. */
function grid() {
  const along = level.map(way => run.corners.map(corner => dot(corner, way)));
  const ends = along.map(values => [Math.min(...values), Math.max(...values)]);
  const extent = Math.max(...ends.map(([low, high]) => high - low));
  const cell = ticks(0, extent, 8)[1][0];
  const [low, high] = [0, 1].map(side => ends.map(
    end => cell * (side ? Math.ceil(end[1] / cell) + 1 : Math.floor(end[0] / cell) - 1)));
  const places = [];
  for (const axis of [0, 1])
    for (let at = low[axis]; at < high[axis] + cell / 2; at += cell)
      for (const end of [low, high])
        places.push(...run.up.map((v, k) => run.floor * v + at * level[axis][k]
                                            + end[1 - axis] * level[1 - axis][k]));
  return [cell, loose(places)];
}

/* Numbers out of a text, see packed. */
function unpacked(text, kind, share) {
  const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  return Array.from(new kind(bytes.buffer), value => share * value);
}

for (const part of run.parts) {
  part.vertices = unpacked(part.vertices, Int16Array, part.reach / 32767);
  part.normals = unpacked(part.normals, Int16Array, 1 / 32767);
  for (const name of ['triangles', 'edges']) part[name] = unpacked(part[name], Uint16Array, 1);
}
const parts = gl && run.parts.map(part => ({ ...part, rgb: colour(part.colour),
  mesh: held(part.vertices, part.normals, part.triangles, part.edges) }));
const [cell, floorGrid] = gl ? grid() : [1, null];
const paths = gl && run.traces.map(trace => ({ rgb: colour(trace.colour),
  mesh: loose(trace.path.flat()) }));

function draw(mesh, mode, count) {
  for (const [place, name] of [[0, 'vertices'], [1, 'normals']]) {
    gl.bindBuffer(gl.ARRAY_BUFFER, mesh[name]);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 0, 0);
  }
  if (mesh.count) {
    gl.drawArrays(mode, 0, count ?? mesh.count);
    return;
  }
  const lines = mode === gl.LINES;
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, lines ? mesh.edges : mesh.triangles);
  gl.drawElements(mode, lines ? mesh.lines : mesh.faces, gl.UNSIGNED_SHORT, 0);
}

/* Right, up and towards the viewer for a view. */
function axes({ azimuth, tilt }) {
  const [ca, sa] = [Math.cos(azimuth), Math.sin(azimuth)];
  const around = level[0].map((v, k) => ca * v + sa * level[1][k]);
  const towards = around.map((v, k) => Math.cos(tilt) * v + Math.sin(tilt) * run.up[k]);
  const right = cross(run.up, around);
  return [right, cross(towards, right), towards];
}

/* Distance from which the whole motion is seen at first; turning does not change it. */
function distance(aspect) {
  const radius = Math.max(...run.corners.map(
    corner => Math.hypot(...plus(corner, run.target, -1))));
  const [right, above, towards] = axes(run);
  let most = 0;
  for (const corner of run.corners) {
    const way = plus(corner, run.target, -1);
    most = Math.max(most, Math.abs(dot(way, right)) / (VIEW * aspect) + dot(way, towards),
                    Math.abs(dot(way, above)) / VIEW + dot(way, towards));
  }
  return Math.max(most, 1.2 * radius) * MARGIN / view.zoom;
}

let eye = null;
function drawScene(frame) {
  if (!gl) return;
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth, height = canvas.clientHeight;
  if (!width || !height) return;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const [right, above, towards] = axes(view), aspect = width / height, away = distance(aspect);
  const light = unit(run.up.map((v, k) => 0.95 * v - 0.45 * right[k] + 0.55 * towards[k]));
  const still = [0, 0, 0, 1, 0, 0, 0, 0, 1];
  eye = { right, above, towards, away, width, height };
  gl.viewport(0, 0, canvas.width, canvas.height);
  gl.clearColor(1, 1, 1, 1);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
  gl.useProgram(program);
  const shared = { up: run.up, sun: unit(plus(run.up, light, 0.3)), right, above, towards, light,
                   half_: unit(plus(light, towards, 1)), target: view.target, away,
                   size: [VIEW * aspect, VIEW], ground: run.floor, reach: run.size };
  for (const [name, value] of Object.entries(shared)) set(name, value);
  const at = pose => { set('origin', pose.slice(0, 3)); set('x', pose.slice(3, 6));
                       set('z', pose.slice(6)); };
  const poseOf = part => run.tracks[part.track][Math.min(frame, run.tracks[part.track].length - 1)];
  const pen = (rgb, lit, alpha, thick, flat) => { set('colour', rgb); set('lit', lit);
    set('alpha', alpha); set('thick', thick); set('flat_', flat); };

  at(still);
  gl.disable(gl.DEPTH_TEST);
  pen([0.86, 0.86, 0.86], 0, 1, 0, 0);
  draw(floorGrid, gl.LINES);
  if (view.tilt > 0) {        // shadows, each place of the floor once
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ZERO, gl.ONE_MINUS_SRC_ALPHA);
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.EQUAL, 0, 255);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
    pen([0, 0, 0], 0, 0.16, 0, 1);
    for (const part of parts) { at(poseOf(part)); draw(part.mesh, gl.TRIANGLES); }
    gl.disable(gl.STENCIL_TEST);
    gl.disable(gl.BLEND);
  }
  gl.enable(gl.DEPTH_TEST);
  gl.enable(gl.CULL_FACE);
  gl.polygonOffset(1, 2);
  const line = 1.4 * VIEW * away / height;
  for (const part of parts) {
    at(poseOf(part));
    gl.cullFace(gl.BACK);
    pen(part.rgb, 1, 1, 0, 0);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    draw(part.mesh, gl.TRIANGLES);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.cullFace(gl.FRONT);      // an outline: the back, a little larger
    pen(part.rgb.map(v => 0.4 * v), 0, 1, line, 0);
    draw(part.mesh, gl.TRIANGLES);
    pen(part.rgb.map(v => 0.5 * v), 0, 1, 0, 0);
    draw(part.mesh, gl.LINES);
  }
  gl.disable(gl.CULL_FACE);
  at(still);
  for (const path of paths) {
    pen(path.rgb.map(v => 1 - 0.4 * (1 - v)), 0, 1, 0, 0);
    draw(path.mesh, gl.LINE_STRIP);
    pen(path.rgb, 0, 1, 0, 0);
    draw(path.mesh, gl.LINE_STRIP, frame + 1);
  }
  drawNames(frame, poseOf);
}

/* Where a place is in the picture, in CSS pixels. */
function pixel(place) {
  const way = plus(place, view.target, -1), depth = eye.away - dot(way, eye.towards);
  const scale = eye.height / 2 / VIEW / depth;
  return [eye.width / 2 + scale * dot(way, eye.right), eye.height / 2 - scale * dot(way, eye.above)];
}

function drawNames(frame, poseOf) {
  const [context, width, height] = cleared(overlay);
  context.textAlign = 'left';
  context.fillStyle = GREY;
  context.fillText(`grid ${+cell.toPrecision(3)} m`, 10, height - 10);
  const root = [width - 44, height - 40];
  for (const [k, name, ink] of [[0, 'x', '#bb3333'], [1, 'y', '#2a8a3a'], [2, 'z', '#3355bb']]) {
    const tip = [root[0] + 26 * eye.right[k], root[1] - 26 * eye.above[k]];
    stroke(context, [root, tip], ink, 2);
    context.fillStyle = ink;
    context.textAlign = 'center';
    context.fillText(name, root[0] + 35 * eye.right[k], root[1] - 35 * eye.above[k] + 4);
  }
  if (!get('names').checked) return;
  const boxes = [];
  for (const part of run.parts.filter(part => part.name)) {
    const [ox, oy, oz, ...a] = poseOf(part), x = a.slice(0, 3), z = a.slice(3), y = cross(z, x);
    const middle = part.middle ??= [0, 1, 2].map(k => {
      const values = part.vertices.filter((_, i) => i % 3 === k);
      return (Math.min(...values) + Math.max(...values)) / 2;
    });
    const [px, py] = pixel([ox, oy, oz].map(
      (v, k) => v + middle[0] * x[k] + middle[1] * y[k] + middle[2] * z[k]));
    const half = context.measureText(part.name).width / 2 + 5;
    if (boxes.some(([u, v, w]) => Math.abs(px - u) < half + w && Math.abs(py - v) < 18)) continue;
    boxes.push([px, py, half]);
    context.fillStyle = 'rgba(255,255,255,0.8)';
    context.fillRect(px - half, py - 9, 2 * half, 18);
    context.fillStyle = INK;
    context.fillText(part.name, px, py + 4);
  }
}

/* One finger or the mouse turns; two fingers, or the mouse with Shift, move; wheel and pinch zoom. */
const touching = new Map();
const zoomBy = factor => { view.zoom = Math.min(20, Math.max(0.2, view.zoom * factor)); };
const spread = () => { const [a, b] = [...touching.values()];
                       return [Math.hypot(a[0] - b[0], a[1] - b[1]), (a[0] + b[0]) / 2,
                               (a[1] + b[1]) / 2]; };
function moveBy(dx, dy) {
  const scale = 2 * VIEW * eye.away / eye.height;
  view.target = view.target.map((v, k) => v - scale * (dx * eye.right[k] - dy * eye.above[k]));
}
overlay.onpointerdown = event => {
  overlay.setPointerCapture(event.pointerId);
  touching.set(event.pointerId, [event.offsetX, event.offsetY]);
};
overlay.onpointermove = event => {
  if (!touching.has(event.pointerId)) return;
  const before = touching.size === 2 ? spread() : null, [x, y] = touching.get(event.pointerId);
  touching.set(event.pointerId, [event.offsetX, event.offsetY]);
  const [dx, dy] = [event.offsetX - x, event.offsetY - y];
  if (before) {
    const after = spread();
    zoomBy(after[0] / before[0]);
    moveBy(after[1] - before[1], after[2] - before[2]);
  } else if (event.shiftKey || event.buttons & 6) {
    moveBy(dx, dy);
  } else {
    view.azimuth -= 0.008 * dx;
    view.tilt = Math.min(1.57, Math.max(-1.57, view.tilt + 0.008 * dy));
  }
  show();
};
overlay.onpointerup = overlay.onpointercancel = event => touching.delete(event.pointerId);
overlay.onwheel = event => {
  event.preventDefault();
  zoomBy(Math.exp(-0.0015 * event.deltaY));
  show();
};
overlay.oncontextmenu = event => event.preventDefault();
overlay.ondblclick = () => {
  Object.assign(view, { azimuth: run.azimuth, tilt: run.tilt, zoom: 1,
                        target: run.target.slice() });
  show();
};
document.querySelector('.space').style.display = 'flex';
get('names').onchange = show;
