// Computes the fewest bytes that turn one screen of the emulator into another. For each row, it tries every way to
// write, move, overwrite, erase and repeat, also after each possible shift of a block of rows. It shares no code with
// the painter of the program.

const csi = '\u001B[';

/** Reads the screen of the emulator as plain cells. */
export function screenOf(terminal) {
	const { active } = terminal.buffer;
	return Array.from({ length: terminal.rows }, (_, y) => {
		const line = active.getLine(active.baseY + y);
		return Array.from({ length: terminal.cols }, (_, x) => cellOf(line.getCell(x)));
	});
}

function cellOf(cell) {
	const flags = [
		[cell.isBold(), 1, 22],
		[cell.isDim(), 2, 22],
		[cell.isItalic(), 3, 23],
		[cell.isUnderline(), 4, 24],
		[cell.isInverse(), 7, 27],
		[cell.isStrikethrough(), 9, 29],
	].filter(([isOn]) => isOn);
	const style = {
		flags: flags.map(([, start]) => start),
		foreground: colour(cell.getFgColorMode() >> 24, cell.getFgColor(), 30),
		background: colour(cell.getBgColorMode() >> 24, cell.getBgColor(), 40),
	};
	const width = cell.getWidth();
	const glyph = width === 0 ? '' : cell.getChars() || ' ';
	const isBlank = glyph === ' ' && !style.flags.some(flag => [4, 7, 9].includes(flag));
	const seen = isBlank ? `on ${style.background}` : JSON.stringify(style);
	return { glyph, width, style, isBlank, key: `${glyph} ${seen}`, name: JSON.stringify(style) };
}

function colour(mode, number, ground) {
	if (mode === 0) return '';
	if (mode === 1) return String(number < 8 ? ground + number : ground + 52 + number);
	if (mode === 2) return `${ground + 8};5;${number}`;
	return `${ground + 8};2;${number >> 16};${(number >> 8) & 255};${number & 255}`;
}

const plain = { flags: [], foreground: '', background: '' };
const plainName = JSON.stringify(plain);
const endOf = { 1: 22, 2: 22, 3: 23, 4: 24, 7: 27, 9: 29 };
const changes = new Map();

function costOfChange(from, to) {
	if (from === to) return 0;
	const key = `${from}${to}`;
	if (!changes.has(key)) changes.set(key, changeBetween(JSON.parse(from), JSON.parse(to)));
	return changes.get(key);
}

function changeBetween(from, to) {
	const ended = new Set(
		from.flags.filter(flag => !to.flags.includes(flag)).map(flag => endOf[flag]),
	);
	const lost = to.flags.filter(flag => from.flags.includes(flag) && ended.has(endOf[flag]));
	const stepwise = [
		...ended,
		...to.flags.filter(flag => !from.flags.includes(flag)),
		...lost,
		...(from.foreground === to.foreground ? [] : [to.foreground || 39]),
		...(from.background === to.background ? [] : [to.background || 49]),
	].join(';');
	const fromReset = [...to.flags, to.foreground, to.background].filter(Boolean).join(';');
	return csi.length + 1 + Math.min(stepwise.length, fromReset === '' ? 0 : fromReset.length + 1);
}

function costOfMove(fromX, fromY, x, y, columns) {
	if (fromX === x && fromY === y) return 0;
	let best = `${csi}${x === 0 ? (y === 0 ? '' : y + 1) : `${y === 0 ? '' : y + 1};${x + 1}`}H`
		.length;
	const steps = count => (count === 1 ? 3 : 3 + String(count).length);
	if (fromY === y) best = Math.min(best, x === 0 ? 1 : `${csi}${x + 1}G`.length);
	if (fromY + 1 === y && x === 0) best = Math.min(best, 2);
	if (fromX < columns) {
		const aside =
			x < fromX ? Math.min(fromX - x, steps(fromX - x)) : x > fromX ? steps(x - fromX) : 0;
		best = Math.min(best, aside + (fromY === y ? 0 : steps(Math.abs(fromY - y))));
	}
	return best;
}

/** Returns the cells that have to be written, in reading order. */
function changedCells(before, after) {
	const cells = [];
	for (let y = 0; y < after.length; y++) {
		for (let x = 0; x < after[y].length; x++) {
			const cell = after[y][x];
			if (cell.width === 0 || cell.key === before[y][x].key) continue;
			cells.push({ x, y, cell });
		}
	}
	return cells;
}

/** Finds the cheapest way with dynamic programming: for each state, only the cheapest way to reach it is kept. */
function fewestWithoutShift(before, after, start) {
	const changed = changedCells(before, after);
	if (changed.length === 0) return 0;
	const columns = after[0].length;
	const names = new Set([plainName, start.style, ...changed.map(({ cell }) => cell.name)]);
	const canBlank = background =>
		[...names].filter(name => {
			const style = JSON.parse(name);
			return style.background === background && !style.flags.some(flag => [4, 7, 9].includes(flag));
		});
	const blankStyles = new Map();
	const stylesFor = cell => {
		if (!cell.isBlank) return [cell.name];
		const { background } = cell.style;
		if (!blankStyles.has(background)) {
			const found = canBlank(background);
			blankStyles.set(background, found.length > 0 ? found : [cell.name]);
		}
		return blankStyles.get(background);
	};

	// `ways[n]` holds the cheapest way to each state in which the first n changed cells are written.
	const ways = Array.from({ length: changed.length + 1 }, () => new Map());
	const offer = (count, x, y, style, cost) => {
		const key = `${x},${y},${style}`;
		const known = ways[count].get(key);
		if (!known || cost < known.cost) ways[count].set(key, { x, y, style, cost });
	};
	offer(0, start.x, start.y, start.style, 0);

	for (let at = 0; at < changed.length; at++) {
		const { x, y, cell } = changed[at];
		const row = after[y];
		let sameUntil = at;
		while (
			changed[sameUntil + 1]?.y === y &&
			row.slice(x, changed[sameUntil + 1].x + 1).every(({ key }) => key === cell.key)
		) {
			sameUntil += 1;
		}
		const isTail = row.slice(x).every(({ key }) => key === `  on `);
		const restOfRow = changed.findLastIndex(each => each.y === y);
		for (const way of ways[at].values()) {
			for (const style of stylesFor(cell)) {
				const styled = way.cost + costOfChange(way.style, style);
				const there = styled + costOfMove(way.x, way.y, x, y, columns);
				const bytes = Buffer.byteLength(cell.glyph);
				const cost = Math.min(there, costOverGap(way, x, y, row, style, stylesFor));
				offer(at + 1, x + cell.width, y, style, cost + bytes);
				const length = changed[sameUntil].x - x + 1;
				if (length > 2)
					offer(sameUntil + 1, x + length, y, style, cost + bytes + `${csi}${length - 1}b`.length);
				if (cell.key !== '  on ') continue;
				offer(sameUntil + 1, x, y, style, there + `${csi}${length}X`.length);
				if (isTail) offer(restOfRow + 1, x, y, style, there + 3);
			}
		}
	}
	return Math.min(...[...ways.at(-1).values()].map(({ cost }) => cost));
}

/** Returns the bytes for overwriting unchanged cells up to the next changed cell, instead of moving the cursor. */
function costOverGap(way, x, y, row, style, stylesFor) {
	if (way.y !== y || way.x >= x || x - way.x > 12) return Number.POSITIVE_INFINITY;
	let current = way.style;
	let cost = way.cost;
	for (let at = way.x; at < x; at++) {
		const fitting = stylesFor(row[at]);
		if (!fitting.includes(current)) {
			const next = fitting.includes(style) ? style : fitting[0];
			cost += costOfChange(current, next);
			current = next;
		}
		cost += Buffer.byteLength(row[at].glyph);
	}
	return cost + costOfChange(current, style);
}

export function fewestBytes(before, after, start) {
	let best = fewestWithoutShift(before, after, start);
	for (const { top, bottom, by } of shifts(before, after)) {
		const count = Math.abs(by) === 1 ? '' : Math.abs(by);
		const isLow = bottom === after.length;
		const deletes = `${csi}${(by > 0 ? top : bottom - Math.abs(by)) + 1}H${csi}${count}M`;
		const inserts = `${csi}${(by > 0 ? bottom - by : top) + 1}H${csi}${count}L`;
		const cost =
			(by > 0 || !isLow ? deletes.length : 0) +
			(by < 0 || !isLow ? inserts.length : 0) +
			costOfChange(start.style, plainName);
		const end = { x: 0, y: by > 0 === isLow ? top : bottom - 1, style: plainName };
		best = Math.min(best, cost + fewestWithoutShift(shifted(before, top, bottom, by), after, end));
	}
	return best;
}

const blank = {
	glyph: ' ',
	width: 1,
	style: plain,
	isBlank: true,
	key: '  on ',
	name: plainName,
};

function shifted(screen, top, bottom, by) {
	return screen.map((row, y) => {
		if (y < top || y >= bottom) return row;
		const from = y + by;
		return from < top || from >= bottom ? row.map(() => blank) : screen[from];
	});
}

/**
 * Yields, for each distance, every block of rows that resemble the earlier rows at that distance more than at any
 * other.
 */
function* shifts(before, after) {
	const rows = after.length;
	const unlike = (a, b) => a.reduce((count, cell, x) => count + (cell.key === b[x].key ? 0 : 1), 0);
	for (let by = 1 - rows; by < rows; by++) {
		if (by === 0) continue;
		let first = -1;
		for (let y = 0; y <= rows; y++) {
			const from = y + by;
			const isAlike =
				y < rows &&
				from >= 0 &&
				from < rows &&
				unlike(before[from], after[y]) < unlike(before[y], after[y]);
			if (isAlike && first === -1) first = y;
			if (isAlike || first === -1) continue;
			yield by > 0
				? { top: first, bottom: Math.min(rows, y + by), by }
				: { top: first + by, bottom: y, by };
			first = -1;
		}
	}
}
