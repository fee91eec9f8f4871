'use strict';

const content = JSON.parse(document.getElementById('content').textContent);
const root = document.documentElement;
const touched = matchMedia('(pointer: coarse)').matches;
const divs = content.panels.map((_, k) => document.getElementById(`panel${k}`));
const linked = divs.filter((_, k) => content.panels[k].across === 'time');
const wholeRun = [0, content.duration];

// '--name' or '--name/opacity' becomes a colour of the present look.
function coloured(value, style) {
  if (typeof value === 'string' && value.startsWith('--')) {
    const [name, opacity] = value.split('/');
    const colour = style.getPropertyValue(name).trim();
    if (!opacity) return colour;
    const parts = [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16));
    return `rgba(${parts.join(',')},${opacity})`;
  }
  if (Array.isArray(value)) return value.map((one) => coloured(one, style));
  if (value && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, coloured(one, style)]));
  }
  return value;
}

function layoutOf(panel, style) {
  const axis = {gridcolor: '--rule', zerolinecolor: '--rule', linecolor: '--rule',
                ticks: 'outside', tickcolor: '--rule', automargin: true};
  const time = panel.across === 'time';
  const across = {...axis, ticksuffix: time ? ' s' : ` ${panel.across}`, showspikes: true,
                  spikemode: 'across', spikethickness: 1, spikecolor: '--faint', spikedash: 'dot',
                  hoverformat: '.4~f'};
  if (time) across.range = [...wholeRun];
  return coloured({
    paper_bgcolor: '--paper', plot_bgcolor: '--paper', font: {color: '--ink', size: 12},
    margin: {l: 58, r: 14, t: 30, b: 30}, hovermode: 'x unified',
    hoverlabel: {bgcolor: '--paper', bordercolor: '--rule', font: {color: '--ink'}},
    // A finger scrolls the page; it zooms by the buttons of the panel.
    dragmode: touched ? false : 'zoom', showlegend: true,
    legend: {orientation: 'h', x: 0, xanchor: 'left', y: 1.01, yanchor: 'bottom', font: {size: 11}},
    modebar: {color: '--faint', activecolor: '--ink', bgcolor: 'rgba(0,0,0,0)'},
    xaxis: across, yaxis: {...axis, ...panel.up}, shapes: panel.marks,
  }, style);
}

function draw() {
  const style = getComputedStyle(root);
  content.panels.forEach((panel, k) => {
    const layout = layoutOf(panel, style);
    const before = divs[k].layout;
    if (before) {
      layout.xaxis.range = before.xaxis.range;
      layout.yaxis.range = before.yaxis.range;
    }
    Plotly.react(divs[k], coloured(panel.data, style), layout, {
      responsive: true, displaylogo: false, showSendToCloud: false, plotlyServerURL: '',
      displayModeBar: touched ? true : 'hover',
      modeBarButtonsToRemove: ['select2d', 'lasso2d', 'autoScale2d'],
    });
  });
}

// All panels over time show the same time.
let moving = false;
function showTime(range, except) {
  moving = true;
  Promise.all(linked.filter((div) => div !== except).map(
    (div) => Plotly.relayout(div, {'xaxis.range': [...range]}))).finally(() => { moving = false; });
}

function link(div) {
  div.on('plotly_relayout', (change) => {
    if (moving) return;
    if (change['xaxis.autorange']) showTime(wholeRun);
    else if ('xaxis.range[0]' in change) {
      showTime([change['xaxis.range[0]'], change['xaxis.range[1]']], div);
    } else if (change['xaxis.range']) showTime(change['xaxis.range'], div);
  });
}

function show(theme) {
  root.dataset.theme = theme;
  draw();
}

const dark = matchMedia('(prefers-color-scheme: dark)');
dark.addEventListener('change', () => show(dark.matches ? 'dark' : 'light'));
show(dark.matches ? 'dark' : 'light');
linked.forEach(link);
document.getElementById('theme').addEventListener(
  'click', () => show(root.dataset.theme === 'dark' ? 'light' : 'dark'));
document.getElementById('whole').addEventListener('click', () => showTime(wholeRun));
document.querySelectorAll('tr[data-from]').forEach((row) => row.addEventListener('click', () => {
  showTime([Number(row.dataset.from), Number(row.dataset.to)]);
  linked[0].scrollIntoView({behavior: 'smooth', block: 'center'});
}));
