import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { createTheme, type Theme } from '../../../source/drawing/theme.ts';
import { bindings } from '../../../source/keys/bindings.ts';
import { colourings, initialMapLook } from '../../../source/screen/map-look.ts';
import type { Screen } from '../../../source/screen/screen.ts';
import { resizedLine } from '../../../source/terminal/output/grid.ts';
import { createPainter } from '../../../source/terminal/output/painter.ts';
import { createTextReader } from '../../../source/terminal/output/text-cells.ts';
import { createFleetMap } from '../../../source/wording/map/fleet-map.ts';
import { mapLegendLine, mapTitleLine } from '../../../source/wording/map/map-captions.ts';
import { colouringRows } from '../../../source/wording/map/map-colours.ts';
import type { MapLayout } from '../../../source/wording/map/map-layout.ts';
import { cellContextsOf } from '../../../source/wording/table/cell-context.ts';
import { rowId } from '../../opened-account.ts';
import { theme as plainTheme } from '../../sample-theme.ts';
import { createFleet, fleetOf } from './map-rows.ts';

const colours = createTheme({ colourBits: 24, background: 'dark', hasUnicode: true });

type CaptionOptions = Parameters<typeof mapLegendLine>[0];

type Inputs = ReturnType<ReturnType<typeof createFleet>['inputs']>;

function linesOf(inputs: Inputs, theme: Theme, map = createFleetMap()): readonly string[] {
	const operationsState = { isReadOnly: false };
	const contextOf = cellContextsOf({
		...{ accounts: inputs.accounts, now: inputs.now, operationsState, theme },
		waitingFor: () => undefined,
	});
	return map.textOf({ ...inputs, bindings, contextOf, theme }).lines;
}

const plain = (lines: readonly string[]) => lines.map(line => stripVTControlCharacters(line));

const look = (change: Partial<Screen['map']>): Partial<Screen> => ({
	map: { ...initialMapLook, isOpen: true, ...change },
});

test('shows each computer of a small fleet with its name, in groups with their counts and errors', () => {
	const computers = fleetOf(12).with(1, { id: 'sb_1', name: 'c-1', status: 'error' });
	const lines = plain(linesOf(createFleet(computers).inputs(look({})), colours));
	const cells = lines.filter(line => line.includes('■ c-'));
	expect(lines[0]).toMatch(/^ {3}by location, coloured by status +each cell is a computer $/);
	expect(cells[0]).toMatch(/^ ❯ ap-south {3}4 {2}■ c-0 {7}■ c-3 {7}■ c-6 {7}■ c-9 +$/);
	expect(lines.find(line => line.includes('unknown    1'))).toMatch(/✖ c-1 +1 error$/);
	expect(lines.at(-2)).toContain(
		'✖ error   ■ changing   ■ active   ■ old data   ■ stopped   ■ unknown',
	);
	expect(lines.at(-1)).toMatch(
		/^ ❯ c-0 {2}● Active .*f filter {2}b group {2}c colour {2}m table $/,
	);
});

test('no line of named cells is wider than the screen, so that the counts at its end are whole', () => {
	const computers = fleetOf(24).map(each => ({ ...each, status: 'error' }));
	for (let width = 76; width <= 160; width += 1) {
		const inputs = { ...createFleet(computers).inputs(look({})), width };
		const lines = plain(linesOf(inputs, colours));
		expect(lines.join('\n')).toContain('✖ c-0');
		for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
	}
});

test.each(colourings)(
	'explains every colour and letter of the map coloured by %s from 60 columns',
	colouring => {
		for (const theme of [plainTheme, colours]) {
			const { levels } = colouringRows[colouring];
			const options = { screen: { map: { ...initialMapLook, colouring } }, width: 60, theme };
			const legend = stripVTControlCharacters(mapLegendLine(options as CaptionOptions));
			for (const { word, short = word } of levels)
				expect(
					[word, short].some(each => legend.includes(` ${each}`)),
					word,
				).toBe(true);
			expect(stringWidth(legend)).toBe(60);
		}
	},
);

test.each(colourings)(
	'shows an error by its sign, and explains its counts, in the narrow map coloured by %s',
	colouring => {
		const computers = fleetOf(12).with(1, { id: 'sb_1', name: 'c-1', status: 'error', cpu: 3 });
		const inputs = createFleet(computers).inputs(look({ colouring }), 60);
		const lines = plain(linesOf(inputs, colours));
		expect(lines.find(line => line.includes('unknown    1'))).toContain('✖');
		expect(lines.at(-1)).toContain('f filter  b group  c colour');
		const alarms = lines.flatMap(line => line.match(/\d([^\s\d]) *$/)?.[1] ?? []);
		for (const sign of alarms) expect(['✖', '■']).toContain(sign);
	},
);

test('the legend goes from the worst to the best, and ends with old, stopped and unknown', () => {
	const options = { screen: { map: { ...initialMapLook, colouring: 'cpu' } }, width: 100 };
	const legend = mapLegendLine({ ...options, theme: colours } as CaptionOptions);
	expect(stripVTControlCharacters(legend).replace(/[■✖]/g, '').split(/ {2,}/).join('|')).toBe(
		'|error|from 95%|from 80%|under 80%|old|stopped|unknown|',
	);
});

test('a stopped computer is shown as stopped in the map coloured by CPU, and one without a CPU as unknown', () => {
	const [first, second] = fleetOf(2);
	const computers = [
		{ ...first, id: 'sb_0', status: 'stopped', cpu: null },
		{ ...second, id: 'sb_1', status: 'active', cpu: null },
	];
	const inputs = createFleet(computers).inputs(look({ colouring: 'cpu' }));
	const text = plain(linesOf(inputs, plainTheme)).join('\n');
	expect(text).toContain('o c-0');
	expect(text).toContain('? c-1');
});

test('says at every width what a cell stands for', () => {
	for (const colouring of colourings)
		for (const [computersPerCell, words] of [
			[1, /a computer/],
			[4, /worst of 4/],
		] as const) {
			const options = { screen: { map: { ...initialMapLook, colouring } }, width: 60 };
			const layout = { computersPerCell } as MapLayout;
			const line = mapTitleLine(layout, { ...options, theme: colours } as CaptionOptions);
			expect(stripVTControlCharacters(line)).toMatch(words);
		}
});

test('writes letters where the terminal has no colours, and where it has no blocks', () => {
	const computers = fleetOf(6).with(0, { id: 'sb_0', name: 'c-0', status: 'error' });
	const ascii = createTheme({ colourBits: 8, background: 'dark', hasUnicode: false });
	for (const theme of [plainTheme, ascii]) {
		const lines = plain(
			linesOf(createFleet(computers).inputs(look({ grouping: 'version' })), theme),
		);
		expect(lines.find(line => line.includes('1.4.2'))).toMatch(
			/ 5 {2}\. c-1 +\. c-2 +\. c-3 +o c-4 +\. c-5 /,
		);
		expect(lines.find(line => /unknown +1 /.test(line))).toMatch(/! .*1 error$/);
		expect(lines.at(-2)).toMatch(
			/! error {3}~ changing {3}\. active {3}- old data {3}o stopped {3}\? unknown/,
		);
	}
});

test.each([
	[100, 'each cell is a computer', '■ c-0'],
	[200, 'each cell is a computer', '■■ ■■'],
	[500, 'each cell is a computer', '■ ■'],
	[1000, 'each cell is a computer', '■■■'],
	[2500, 'each cell is a computer', '█'],
	[10_000, 'each cell is 3 computers and shows the worst', '█'],
])('fits %i computers on the screen and says that %s', (count, sentence, cells) => {
	const lines = plain(linesOf(createFleet(fleetOf(count)).inputs(look({})), colours));
	expect(lines).toHaveLength(30);
	expect(lines[0]).toContain(sentence);
	expect(lines.some(line => line.includes(cells))).toBe(true);
	for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(100);
});

test.each([
	[120, 30],
	[80, 18],
	[60, 11],
	[30, 4],
	[200, 54],
])(
	'draws no line wider than a terminal of %i columns, and exactly as many lines as the terminal has',
	(columns, rows) => {
		for (const count of [1, 24, 3000]) {
			const fleet = createFleet(fleetOf(count));
			for (const grouping of ['location', 'status', 'version'] as const) {
				const inputs = fleet.inputs(look({ grouping }), columns, rows + 6);
				const lines = plain(linesOf({ ...inputs, lines: rows }, colours));
				expect(lines, `${count} by ${grouping}`).toHaveLength(rows);
				for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
			}
		}
	},
);

test('keeps the groups and the place of each computer when a status changes', () => {
	const fleet = createFleet(fleetOf(30));
	const before = plain(linesOf(fleet.inputs(look({})), colours));
	fleet.read(fleetOf(30).with(7, { ...fleetOf(8)[7], id: 'sb_7', status: 'stopping' }));
	expect(plain(linesOf(fleet.inputs(look({})), colours))).toEqual(before);
});

test('keeps the cells as wide as they are when a status changes, and cuts long names', () => {
	const named = fleetOf(6).with(3, {
		id: 'sb_3',
		name: 'a-name-of-many-letters',
		location: 'ap-south',
	});
	const fleet = createFleet(named);
	const before = plain(linesOf(fleet.inputs(look({})), colours));
	expect(before.find(line => line.includes('ap-south'))).toContain('■ a-name-of-many-…  ■ c-0');
	fleet.read(named.with(1, { ...named[1], id: 'sb_1', status: 'error' }));
	const after = plain(linesOf(fleet.inputs(look({})), colours));
	const cells = (line: string) =>
		line
			.replace(/ +1 error$/, '')
			.replace('✖', '■')
			.trimEnd();
	expect(after.map(cells).slice(1, -1)).toEqual(before.map(cells).slice(1, -1));
});

test('shows the most serious computer of each cell', () => {
	const computers = fleetOf(6000).with(5000, {
		...fleetOf(1)[0],
		id: 'sb_5000',
		status: 'error',
	});
	const lines = linesOf(createFleet(computers).inputs(look({ grouping: 'version' })), colours);
	expect(lines.filter(line => line.includes('38;5;124') || line.includes('[31m'))).not.toEqual([]);
});

test('shows old data in grey, and as a dash where letters are used', () => {
	const fleet = createFleet(fleetOf(6));
	fleet.pass(3_600_000);
	const lines = plain(linesOf(fleet.inputs(look({})), plainTheme));
	expect(lines.find(line => line.includes('ap-south'))).toContain('- c-0       - c-3');
});

test('shows marks, and inverts the cell under the cursor', () => {
	const marks = new Set([rowId('sb_3')]);
	const lines = linesOf(createFleet(fleetOf(6)).inputs({ ...look({}), marks }), colours);
	const line = lines.find(text => text.includes('ap-south')) ?? '';
	expect(stripVTControlCharacters(line)).toContain('■ c-0       ▪ c-3');
	expect(line).toContain('\u001B[7m');
});

test('paints one line again when one computer changes, and none when only time passes', () => {
	let painted: string[] = [];
	const counting: Theme = {
		...colours,
		paint(tone, text) {
			if (/[■█▀✖]/.test(text)) painted.push(text);
			return colours.paint(tone, text);
		},
		paintCells(...cells) {
			painted.push(cells[0]);
			return colours.paintCells(...cells);
		},
	};
	const fleet = createFleet(fleetOf(2500));
	const map = createFleetMap();
	const paintedBy = (change: Partial<Screen> = {}) => {
		painted = [];
		linesOf(fleet.inputs({ ...look({}), ...change }), counting, map);
		// The legend is painted in every frame.
		return painted.length - 6;
	};
	const whole = paintedBy();
	fleet.pass(1000);
	expect(paintedBy()).toBe(0);
	fleet.read(fleetOf(2500));
	expect(paintedBy()).toBe(0);
	fleet.read(fleetOf(2500).with(2000, { ...fleetOf(2001)[2000], id: 'sb_2000', status: 'error' }));
	const changed = paintedBy();
	expect(changed).toBeGreaterThan(0);
	expect(changed).toBeLessThan(whole / 8);
});

test.each([24, 1000, 10_000])(
	'sends at most 40 bytes to the terminal when one of %i computers changes',
	count => {
		const fleet = createFleet(fleetOf(count));
		const map = createFleetMap();
		const read = createTextReader();
		const painter = createPainter(() => ({
			canRepeatCharacters: false,
			hasColours: true,
			hasLinks: true,
		}));
		const bytesOf = () => {
			const lines = linesOf(fleet.inputs(look({})), colours, map).flatMap(text => read(text).lines);
			const cells = lines.map(line => resizedLine(line, 100));
			return Buffer.byteLength(painter.paint({ columns: 100, lines: cells }, undefined));
		};
		bytesOf();
		const middle = Math.floor(count / 2);
		const changed = { ...fleetOf(middle + 1)[middle], id: `sb_${middle}`, status: 'stopping' };
		fleet.read(fleetOf(count).with(middle, changed));
		const bytes = bytesOf();
		expect(bytes).toBeGreaterThan(10);
		expect(bytes).toBeLessThanOrEqual(40);
	},
);
