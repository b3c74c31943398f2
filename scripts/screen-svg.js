// Converts the screen of a terminal emulator to SVG. Each run of a background becomes a rectangle, and each
// word becomes a text at its own position, so that no font can shift it.
const cell = { width: 8.4, height: 18, baseline: 13.5 };
const margin = 12;

const sixteen = {
	dark: [
		...['#2b2e36', '#e06c75', '#8cc570', '#e5b567', '#61afef', '#c678dd', '#56b6c2', '#d7dae0'],
		...['#767b87', '#e88a92', '#a5d68c', '#edc88a', '#8ac6f5', '#d79ae8', '#7fcdd6', '#ffffff'],
	],
	light: [
		...['#24262b', '#b3261e', '#2e7d32', '#9a6700', '#1f5fbf', '#8e3aa8', '#0b7285', '#d0d3d9'],
		...['#767b87', '#d0453c', '#43a047', '#b07d12', '#3b7dde', '#a85bc2', '#1b93a8', '#ffffff'],
	],
};

const steps = [0, 95, 135, 175, 215, 255];

function colourOf(number, isDark) {
	if (number < 16) return sixteen[isDark ? 'dark' : 'light'][number];
	const hex = value => value.toString(16).padStart(2, '0');
	if (number >= 232) return `#${hex(8 + (number - 232) * 10).repeat(3)}`;
	const place = number - 16;
	const parts = [Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6];
	return `#${parts.map(part => hex(steps[part])).join('')}`;
}

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

export function svgFrom(terminal, { title, ground, ink, isDark }) {
	const width = (terminal.cols * cell.width + 2 * margin).toFixed(0);
	const height = terminal.rows * cell.height + 2 * margin;
	const parts = [];
	const { active } = terminal.buffer;
	for (let y = 0; y < terminal.rows; y++) {
		const line = active.getLine(active.baseY + y);
		for (let x = 0; x < terminal.cols; ) {
			const style = styleAt(line, x, { ink, isDark });
			let end = x + 1;
			while (end < terminal.cols && isSame(style, styleAt(line, end, { ink, isDark }))) end++;
			parts.push(...run(line, x, end, y, style));
			x = end;
		}
	}
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
		`<title>${title}</title>`,
		`<rect width="100%" height="100%" rx="8" fill="${ground}"/>`,
		`<g font-family="ui-monospace,SFMono-Regular,Menlo,'DejaVu Sans Mono',monospace" font-size="14" xml:space="preserve">`,
		...parts,
		'</g></svg>\n',
	].join('\n');
}

function styleAt(line, x, { ink, isDark }) {
	const at = line.getCell(x);
	const foreground = at.isFgDefault() ? ink : numbered(at.isFgRGB(), at.getFgColor(), isDark);
	const background = at.isBgDefault() ? '' : numbered(at.isBgRGB(), at.getBgColor(), isDark);
	return {
		foreground,
		background,
		isBold: at.isBold() !== 0,
		isUnderlined: at.isUnderline() !== 0,
	};
}

function numbered(isRgb, number, isDark) {
	return isRgb ? `#${number.toString(16).padStart(6, '0')}` : colourOf(number, isDark);
}

const isSame = (a, b) =>
	a.foreground === b.foreground &&
	a.background === b.background &&
	a.isBold === b.isBold &&
	a.isUnderlined === b.isUnderlined;

function run(line, from, to, y, { foreground, background, isBold, isUnderlined }) {
	const left = x => (margin + x * cell.width).toFixed(1);
	const top = margin + y * cell.height;
	const parts = [];
	if (background !== '') {
		const width = ((to - from) * cell.width).toFixed(1);
		parts.push(
			`<rect x="${left(from)}" y="${top}" width="${width}" height="${cell.height}" fill="${background}"/>`,
		);
	}
	const look = `${isBold ? ' font-weight="bold"' : ''}${isUnderlined ? ' text-decoration="underline"' : ''}`;
	for (const { text, x } of words(line, from, to)) {
		const length = (text.length * cell.width).toFixed(1);
		const letters = text.replace(/[&<>]/g, letter => escapes[letter]);
		parts.push(
			`<text x="${left(x)}" y="${(top + cell.baseline).toFixed(1)}" textLength="${length}" fill="${foreground}"${look}>${letters}</text>`,
		);
	}
	return parts;
}

/** Joins ASCII characters to words, and keeps every other character by itself. */
function words(line, from, to) {
	const found = [];
	let word;
	for (let x = from; x < to; x++) {
		const text = line.getCell(x).getChars();
		const isPlain = /^[!-~]$/.test(text);
		if (text === '' || text === ' ') word = undefined;
		else if (isPlain && word) word.text += text;
		else {
			found.push({ text, x });
			word = isPlain ? found.at(-1) : undefined;
		}
	}
	return found;
}
