// Converts the screen of a terminal emulator to SVG. Each run of a background becomes a rectangle, and each
// word becomes a text at its own position, so that no font can shift it.
const cell = { width: 8.4, height: 18, baseline: 13.5 };
const margin = 12;
const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const [ground, ink] = ['#16181d', '#d7dae0'];
const sixteen = [
	...['#2b2e36', '#e06c75', '#8cc570', '#e5b567', '#61afef', '#c678dd', '#56b6c2', '#d7dae0'],
	...['#767b87', '#e88a92', '#a5d68c', '#edc88a', '#8ac6f5', '#d79ae8', '#7fcdd6', '#ffffff'],
];

const steps = [0, 95, 135, 175, 215, 255];

function colourOf(number) {
	if (number < 16) return sixteen[number];
	const hex = value => value.toString(16).padStart(2, '0');
	if (number >= 232) return `#${hex(8 + (number - 232) * 10).repeat(3)}`;
	const place = number - 16;
	const parts = [Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6];
	return `#${parts.map(part => hex(steps[part])).join('')}`;
}

/** The elements of a line are drawn relative to the base of its letters. */
const placeOf = y => `translate(0 ${margin + y * cell.height + cell.baseline})`;

/** Returns the SVG elements of each line of the screen. */
export function linesFrom(terminal) {
	const { active } = terminal.buffer;
	return Array.from({ length: terminal.rows }, (_, y) => {
		const line = active.getLine(active.baseY + y);
		const parts = [];
		for (let x = 0; x < terminal.cols; ) {
			const style = styleAt(line, x);
			let end = x + 1;
			while (end < terminal.cols && isSame(style, styleAt(line, end))) end++;
			parts.push(...run(line, x, end, style));
			x = end;
		}
		return parts.join('');
	});
}

function styleAt(line, x) {
	const at = line.getCell(x);
	const foreground = at.isFgDefault() ? ink : numbered(at.isFgRGB(), at.getFgColor());
	const background = at.isBgDefault() ? '' : numbered(at.isBgRGB(), at.getBgColor());
	const isInverse = at.isInverse() !== 0;
	return {
		foreground: isInverse ? background || ground : foreground,
		background: isInverse ? foreground : background,
		isBold: at.isBold() !== 0,
		isUnderlined: at.isUnderline() !== 0,
	};
}

function numbered(isRgb, number) {
	return isRgb ? `#${number.toString(16).padStart(6, '0')}` : colourOf(number);
}

const isSame = (a, b) =>
	a.foreground === b.foreground &&
	a.background === b.background &&
	a.isBold === b.isBold &&
	a.isUnderlined === b.isUnderlined;

function run(line, from, to, { foreground, background, isBold, isUnderlined }) {
	const left = x => (margin + x * cell.width).toFixed(1);
	const box = (x, cells, height, colour) =>
		`<rect x="${left(x)}" y="-${cell.baseline}" width="${(cells * cell.width).toFixed(1)}" height="${height}" fill="${colour}"/>`;
	const parts = background === '' ? [] : [box(from, to - from, cell.height, background)];
	const look = `${isBold ? ' font-weight="bold"' : ''}${isUnderlined ? ' text-decoration="underline"' : ''}`;
	for (const { text, x } of words(line, from, to)) {
		// Fonts leave gaps between block characters, so blocks are drawn as shapes.
		const height = blockHeights[text[0]];
		if (height !== undefined) {
			parts.push(box(x, text.length, height, foreground));
			continue;
		}
		const length = (text.length * cell.width).toFixed(1);
		const fit = text.length > 1 ? ` textLength="${length}"` : '';
		const letters = text.replace(/[&<>]/g, letter => escapes[letter]);
		parts.push(`<text x="${left(x)}"${fit} fill="${foreground}"${look}>${letters}</text>`);
	}
	return parts;
}

const blockHeights = { '█': cell.height, '▀': cell.height / 2 };

/**
 * Joins ASCII characters into words, and other equal characters into runs. Squares of the map stay together with their
 * gaps.
 */
function words(line, from, to) {
	const found = [];
	let word;
	for (let x = from; x < to; x++) {
		const text = line.getCell(x).getChars();
		const isPlain = /^[!-~]$/.test(text);
		const isGap =
			text === ' ' &&
			word?.text.endsWith('■') &&
			line.getCell(x + 1)?.getChars() === '■' &&
			x + 1 < to;
		if (text === '' || (text === ' ' && !isGap)) word = undefined;
		else if (word && (isPlain ? /^[!-~]+$/.test(word.text) : isGap || text === word.text[0]))
			word.text += text;
		else {
			word = { text, x };
			found.push(word);
		}
	}
	return found;
}

/**
 * Makes a picture of one frame, or of several an animation without a script. Each different line is in the file once, and
 * style rules show it in its frames. Viewers that do not animate, and people who prefer no motion, see the first frame.
 */
export function svgFrom({ cols, rows, frames, title }) {
	const seconds = frames.reduce((sum, frame) => sum + frame.seconds, 0);
	const { classOf, rules } = createPatterns(frames, seconds);
	const lines = new Map();
	for (const [at, frame] of frames.entries()) {
		const caption = frame.caption === undefined ? [] : [captionOf(frame.caption)];
		for (const [y, content] of [...frame.lines, ...caption].entries()) {
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
	const style = [...rules(), '@media (prefers-reduced-motion:reduce){g{animation:none!important}}'];
	const width = (cols * cell.width + 2 * margin).toFixed(0);
	const height = rows * cell.height + 2 * margin;
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
		`<title>${title}</title>`,
		`<rect width="100%" height="100%" rx="8" fill="${ground}"/>`,
		`<g font-family="ui-monospace,SFMono-Regular,Menlo,'DejaVu Sans Mono',monospace" font-size="14" xml:space="preserve">`,
		`<style>${style.join('\n')}</style>`,
		...groups,
		'</g></svg>\n',
	].join('\n');
}

function captionOf(text) {
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
