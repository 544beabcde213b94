const SVG = 'http://www.w3.org/2000/svg';

/** 16 px where the text has its usual size. */
const SIZE = '1.143rem';

/** Stroke paths in a 16 × 16 view box. */
const PATHS = {
  check: 'M3 8.5l3.5 3.5L13 4.5',
  cross: 'M4 4l8 8M12 4l-8 8',
  alert: 'M8 3v6M8 12.2v.6',
  clock: 'M8 2a6 6 0 1 1-.01 0M8 5v3.4l2.2 1.4',
  stop: 'M8 2a6 6 0 1 1-.01 0M4 12L12 4',
  power: 'M8 2v5.5M4.6 4.4a5.2 5.2 0 1 0 6.8 0',
  wait: 'M14 8a6 6 0 1 1-6-6',
  lock: 'M3.5 7.5h9V14h-9zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  sun: 'M8 5a3 3 0 1 1-.01 0M8 .8v1.6M8 13.6v1.6M.8 8h1.6M13.6 8h1.6M2.9 2.9l1.1 1.1M12 12l1.1 1.1M13.1 2.9L12 4M4 12l-1.1 1.1',
  moon: 'M13.5 9.8A6 6 0 0 1 6.2 2.5a6 6 0 1 0 7.3 7.3z',
  auto: 'M8 2a6 6 0 1 1-.01 0M8 2v12M8 5l3.6-1.8M8 8.2l5.6-2.6M8 11.4l5.4-2.5',
  copy: 'M5.5 5.5h8v8h-8zM10.5 2.5h-8v8',
  keyboard: 'M1.5 4h13v8h-13zM4 6.6h.5M6.7 6.6h.5M9.4 6.6h.5M12 6.6h.1M4.5 9.6h7',
};

/**
 * @param {keyof typeof PATHS} name
 * @param {string} [className]
 */
export function icon(name, className = '') {
  const path = shape('path', { d: PATHS[name] });
  const attributes = {
    viewBox: '0 0 16 16',
    width: SIZE,
    height: SIZE,
    fill: 'none',
    stroke: 'currentColor',
    'stroke-width': '1.9',
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
    'aria-hidden': 'true',
    class: className,
  };
  return shape('svg', attributes, path);
}

/**
 * Shapes that fill the place that they have.
 *
 * @param {string} viewBox
 * @param {Record<string, string>} paths by class
 */
export function pathShape(viewBox, paths) {
  const shown = Object.entries(paths).map(([className, d]) => shape('path', { class: className, d }));
  return shape('svg', { viewBox, preserveAspectRatio: 'none', 'aria-hidden': 'true' }, ...shown);
}

function shape(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [attribute, value] of Object.entries(attributes)) {
    element.setAttribute(attribute, value);
  }
  element.append(...children);
  return element;
}
