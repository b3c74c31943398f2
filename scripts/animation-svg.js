// Joins frames into an animated SVG without a script. Each different line is in the file once, and style rules show
// it in its frames. Viewers that do not animate, and people who prefer no motion, see the first frame.
import { cell, margin, openingOf, placeOf } from './screen-svg.js';

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

export function animationFrom({ cols, rows, frames }, { title, ground, ink }) {
	const seconds = frames.reduce((sum, frame) => sum + frame.seconds, 0);
	const { classOf, rules } = createPatterns(frames, seconds);
	const lines = new Map();
	for (const [at, frame] of frames.entries()) {
		const caption = captionOf(frame.caption, ink);
		for (const [y, content] of [...frame.lines, caption].entries()) {
			if (content === '') continue;
			const key = `${y} ${content}`;
			const line = lines.get(key) ?? { y, content, frames: [] };
			line.frames.push(at);
			lines.set(key, line);
		}
	}
	const groups = [...lines.values()].map(({ y, content, frames: shown }) => {
		const name = classOf(shown);
		const className = name === undefined ? '' : ` class="${name}"`;
		return `<g${className} transform="${placeOf(y)}">${content}</g>`;
	});
	const { colours, text } = withColourClasses(groups.join('\n'));
	const style = [
		...rules(),
		...colours,
		'@media (prefers-reduced-motion:reduce){g{animation:none!important}}',
	];
	return [
		...openingOf({ cols, rows: rows + 1 }, { title, ground }),
		`<style>${style.join('\n')}</style>`,
		text,
		'</g></svg>\n',
	].join('\n');
}

function captionOf(text, ink) {
	const letters = text.replace(/[&<>]/g, letter => escapes[letter]);
	return `<text x="${margin + 2 * cell.width}" y="4" fill="${ink}" font-weight="bold">${letters}</text>`;
}

/** Names each set of frames in which a line is visible. A line that is visible in all frames needs no name. */
function createPatterns(frames, seconds) {
	const names = new Map();
	const starts = frames.map((_, at) =>
		frames.slice(0, at).reduce((sum, frame) => sum + frame.seconds, 0),
	);
	return {
		classOf(shown) {
			if (shown.length === frames.length) return undefined;
			const key = shown.join(' ');
			if (!names.has(key)) names.set(key, `f${names.size}`);
			return names.get(key);
		},
		rules: () =>
			[...names].map(([key, name]) => {
				const shown = new Set(key.split(' ').map(Number));
				const steps = frames.flatMap((_, at) => {
					if (at > 0 && shown.has(at) === shown.has(at - 1)) return [];
					const percent = ((100 * starts[at]) / seconds).toFixed(2);
					return [`${percent}%{visibility:${shown.has(at) ? 'visible' : 'hidden'}}`];
				});
				const first = shown.has(0) ? 'visible' : 'hidden';
				return `@keyframes ${name}{${steps.join('')}}.${name}{visibility:${first};animation:${name} ${seconds.toFixed(1)}s step-end infinite}`;
			}),
	};
}

/** Replaces colours by short classes, because a colour is repeated for each word. */
function withColourClasses(text) {
	const names = new Map();
	const replaced = text.replaceAll(/fill="(#[0-9a-f]{6})"/g, (_, colour) => {
		if (!names.has(colour)) names.set(colour, `c${names.size}`);
		return `class="${names.get(colour)}"`;
	});
	return {
		text: replaced,
		colours: [...names].map(([colour, name]) => `.${name}{fill:${colour}}`),
	};
}
