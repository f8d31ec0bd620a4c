import { LINES, niceTop, round, type Series, significant, svg, text, THEIRS, TOP, WIDTH } from './charts.js';

/** Several small line charts, one below the other, over one axis of time. */
export interface PanelChart {
  readonly title: string;
  readonly xLabel: string;
  readonly panels: readonly Panel[];
}

export interface Panel {
  readonly label: string;
  readonly series: readonly Series[];
}

const LEFT = 64;
const RIGHT = 20;
const PLOT_HEIGHT = 100;
/** A panel with its heading. */
const STEP = PLOT_HEIGHT + 44;
const BOTTOM = 40;
const MARKS = 6;

export function panelChart({ title, xLabel, panels }: PanelChart): string {
  const xMost = Math.max(
    ...panels.flatMap(({ series }) => series.flatMap(({ points }) => points.map(([x]) => x))),
  );
  const x = (value: number) => LEFT + ((WIDTH - LEFT - RIGHT) * value) / xMost;
  const bottom = TOP + panels.length * STEP;
  // Round numbers of seconds read better than equal parts.
  const step = niceTop(xMost / MARKS);
  const marks = Array.from({ length: Math.floor(xMost / step) + 1 }, (_, i) =>
    text(x(i * step), bottom - 4, significant(i * step), 'middle'),
  );
  const axis = text((LEFT + WIDTH - RIGHT) / 2, bottom + 18, xLabel, 'middle');
  const drawn = panels.map((panel, i) => drawPanel(panel, x, TOP + i * STEP));
  return svg(bottom + BOTTOM, title, [...drawn, ...marks, axis].join('\n'));
}

function drawPanel({ label, series }: Panel, x: (value: number) => number, top: number): string {
  const most = niceTop(Math.max(...series.flatMap(({ points }) => points.map(([, y]) => y)), 1e-9));
  const floor = top + 20 + PLOT_HEIGHT;
  const y = (value: number) => floor - (PLOT_HEIGHT * value) / most;
  const grid = [0, 0.5, 1].flatMap((share) => [
    `<line x1="${String(LEFT)}" x2="${String(WIDTH - RIGHT)}" y1="${round(y(share * most))}" y2="${round(y(share * most))}" stroke="${THEIRS}" stroke-opacity="0.3"/>`,
    text(LEFT - 8, y(share * most) + 5, significant(share * most), 'end'),
  ]);
  const lines = series.map(({ label: name, points }, i) => {
    const colour = LINES[i % LINES.length] ?? THEIRS;
    const path = points.map(([px, py]) => `${round(x(px))},${round(y(py))}`).join(' ');
    const legend = WIDTH - RIGHT - (series.length - i) * LEGEND_WIDTH;
    return [
      `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="1.5" stroke-linejoin="round"/>`,
      series.length > 1
        ? `<rect x="${String(legend)}" y="${String(top - 3)}" width="12" height="12" rx="2" fill="${colour}"/>${text(legend + 18, top + 8, name)}`
        : '',
    ].join('');
  });
  return [text(LEFT, top + 8, label), ...grid, ...lines].join('\n');
}

const LEGEND_WIDTH = 150;
