import { expect, test } from 'vitest';
import { modelFilter } from '../../source/fleet/computers/account.ts';
import { phaseOf, type Reading } from '../../source/fleet/computers/computer.ts';
import {
	computerFilter,
	computerNameFilter,
	type FieldName,
	type FieldSource,
	fields,
	orderRows,
} from '../../source/fleet/computers/fields.ts';
import { createFilterCompleter } from '../../source/fleet/filters/completion.ts';
import { filterFrom, matchedPlaces } from '../../source/fleet/filters/filter.ts';
import { hour } from '../durations.ts';

const now = Date.UTC(2026, 10, 21, 8);

function subject(reading: Partial<Reading>) {
	const whole = { id: 'sb_x', ...reading };
	return {
		reading: whole,
		phase: phaseOf(whole.status),
		since: { at: now - 2 * hour, isLowerBound: true },
	};
}

const fleet = [
	subject({
		id: 'sb_1',
		name: 'atlas',
		status: 'active',
		version: '1.4.2',
		cpu: 91,
		address: '10.0.0.2',
		location: 'eu-north',
		createdAt: now - 8 * 24 * hour,
		ports: [{ port: 8080 }, { port: 5173 }],
	}),
	subject({ id: 'sb_2', name: 'borealis', status: 'running', version: '1.40.0', cpu: 80 }),
	subject({ id: 'sb_3', name: 'web test', status: 'sleeping', version: '1.3.9', createdAt: now }),
	subject({ id: 'sb_4', name: null, status: 'Hibernating', version: null, error: 'disk quota' }),
];

const shown = (text: string) => {
	const { test: isShown } = filterFrom(text, computerNameFilter);
	return fleet
		.filter(each => isShown(each, now))
		.map(({ reading }) => reading.id.slice(3))
		.join(', ');
};

test.each([
	['', '1, 2, 3, 4'],
	['ATL', '1'],
	['sb_2', '2'],
	['10.0.0', '1'],
	['1.*2', 'none'],
	['(', 'none'],
	['sb_ borealis', '2'],
	['atlas OR borealis', '1, 2'],
	['-atlas', '2, 3, 4'],
	['"web test"', '3'],
	['name:"web test"', '3'],
	['status:active', '1, 2'],
	['status:running', '2'],
	['status:stopped', '3'],
	['status:sleeping', '3'],
	['status:hib', '4'],
	['-status:active -status:stopped', '4'],
	['version:1.4', '1'],
	['version:<1.4', '3'],
	['version:>=1.4', '1, 2'],
	['cpu:>80', '1'],
	['cpu:>=80%', '1, 2'],
	['cpu:91', '1'],
	['mem:>1', 'none'],
	['age:>7d', '1'],
	['age:<1h', '3'],
	['uptime:>1h', '1, 2'],
	['uptime:>3h', 'none'],
	['port:5173', '1'],
	['stage:quota', '4'],
	['location:eu', '1'],
	['cpu:80..90', '2'],
	['cpu:85..', '1'],
	['cpu:..90', '2'],
	['age:1h..30d', '1'],
	['version:1.3..1.4', '1, 3'],
	['version:1.4..1.39', '1'],
	['-cpu:80..95', '3, 4'],
	['status:active cpu:>90 OR stage:disk', '1, 4'],
])('of the computers 1 to 4, the filter “%s” finds %s', (text, numbers) => {
	expect(filterFrom(text, computerNameFilter, fleet).mistake).toBeUndefined();
	expect(shown(text) || 'none').toBe(numbers);
});

test.each([
	[
		'colour:red',
		'No field “colour”. Known: name, status, version, uptime, cpu, memory, storage, age, port, stage, address, location, id, account',
	],
	['statu:error', 'No field “statu”. Did you mean status?'],
	['status:eror', 'No status “eror”. Did you mean error?'],
	['-status:eror', 'No status “eror”. Did you mean error?'],
	['cpu:high', 'cpu takes a number such as 80, not high'],
	['age:>7', 'age takes a time such as 90s, 10m, 4h or 7d, not 7'],
	['version:<new', 'version takes a version such as 1.4, not new'],
	['status:', 'status takes a word'],
	['cpu:>', 'cpu takes a number such as 80'],
	['name:>x', 'name cannot be compared with >'],
	['cpu:20..x', 'cpu takes a range such as 20..60, not 20..x'],
	['cpu:..', 'cpu takes a range such as 20..60, not ..'],
	['cpu:60..20', 'cpu takes a range with the smaller value first, such as 20..60'],
	['age:7d..1h', 'age takes a range with the smaller value first, such as 1h..7d'],
	['atlas OR', 'OR needs a term on both sides'],
])('the filter "%s" is reported with the problem "%s"', (text, problem) => {
	expect(filterFrom(text, computerNameFilter).mistake?.problem).toBe(problem);
});

test('no two fields share a name or a synonym, and no two orders a key', () => {
	const names = Object.entries(fields).flatMap(([name, { synonyms = [] }]) => [name, ...synonyms]);
	expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
	const keys = Object.values(orderRows).map(({ key }) => key);
	expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
});

test('a filter with an invalid term still applies its valid terms', () => {
	expect(shown('atlas cpu:high')).toBe('1');
	expect(shown('atlas OR')).toBe('1');
	expect(shown('-')).toBe('');
});

test('in the monitor a word also matches status, version, stage, error and location; in commands it does not', () => {
	const numbersOf = (text: string, table = computerNameFilter) => {
		const { test: isShown } = filterFrom(text, table);
		return fleet.filter(each => isShown(each, now)).map(({ reading }) => reading.id.slice(3));
	};
	const words = ['quota', 'hibern', 'active', 'stopped', '1.4', 'eu-n', 'atlas', 'sb_3', '10.0'];
	const found = (table: typeof computerFilter) =>
		words.map(word => numbersOf(word, table).join('')).join(' ');
	expect(found(computerFilter)).toBe('4 4 12 3 12 1 1 3 1');
	expect(found(computerNameFilter)).toBe('      1 3 1');
	expect(numbersOf('-active', computerFilter)).toEqual(['3', '4']);
	expect(numbersOf('unknown', computerFilter)).toEqual([]);
});

test('the problem of a filter has the place of the wrong word', () => {
	const text = 'atlas -statu:error cpu:>80';
	const { from = 0, to = 0 } = filterFrom(text, computerFilter).mistake?.problemAt ?? {};
	expect(text.slice(from, to)).toBe('-statu:error');
	expect(filterFrom('atlas OR', computerFilter).mistake?.problemAt).toEqual({ from: 6, to: 8 });
	expect(filterFrom('atlas', computerFilter).mistake).toBeUndefined();
});

test('a negated status that this program does not know excludes the computers that have it', () => {
	expect(shown('status:hibernating')).toBe('4');
	expect(shown('-status:hibernating')).toBe('1, 2, 3');
});

test('a stage is found as the platform writes it and as the screen shows it, and a name only as it is', () => {
	const creating = subject({ id: 'sb_5', name: 'my_box', stage: 'loading_image' });
	const isFound = (text: string) => filterFrom(text, computerFilter).test(creating, now);
	for (const text of ['loading_image', '"loading image"', 'stage:="loading image"'])
		expect(isFound(text)).toBe(true);
	for (const text of ['"my box"', 'name:"my box"', 'stage:=loading'])
		expect(isFound(text)).toBe(false);
});

const models = [
	{ id: 'big-coder', owner: 'rigging', contextWindow: 131_072, inputPrice: 3, outputPrice: 15 },
	{ id: 'small', owner: 'harbor', contextWindow: 128_000, inputPrice: 0.25, outputPrice: 1.25 },
	{ id: 'free' },
];

test.each([
	['coder', 'big-coder'],
	['rig', 'big-coder'],
	['owner:h', 'small'],
	['-owner:harbor', 'big-coder free'],
	['context:128k', 'small'],
	['context:131k', 'big-coder'],
	['context:>=128k input:<1', 'small'],
	['output:1..20', 'big-coder small'],
	['input:0.25', 'small'],
	['input:0.3', 'small'],
	['input:0.24', ''],
	['free OR input:>1', 'big-coder free'],
])('of the models, the filter “%s” finds “%s”', (text, found) => {
	const { test: matches, mistake } = filterFrom(text, modelFilter);
	expect(mistake).toBeUndefined();
	const ids = models.filter(model => matches(model, 0)).map(({ id }) => id);
	expect(ids.join(' ')).toBe(found);
});

const computer = (reading: Reading, accountName?: string): FieldSource => ({
	reading,
	phase: phaseOf(reading.status),
	since: { at: 0, isLowerBound: true },
	accountName,
});

const completedFleet = [
	computer({ id: '1', name: 'atlas', status: 'running', version: '1.4.2', cpu: 91 }),
	computer({ id: '2', name: 'atlas-2', status: 'running', version: '1.3.9', cpu: 5 }),
	computer({ id: '3', name: 'vega', status: 'error', version: '1.3.9', location: 'eu north' }),
	computer({ id: '4', name: 'lyra', status: 'sleeping' }, 'lab'),
];

const complete = createFilterCompleter(completedFleet, computerFilter, 0);

/** Returns the completions at the caret `|`, such as `status:error 14`. */
function completionsOf(drawn: string): readonly string[] {
	const caret = drawn.indexOf('|');
	const { completions } = complete({ text: drawn.replace('|', ''), caret });
	return completions.map(({ word, count }) => (count === undefined ? word : `${word} ${count}`));
}

test.each<[string, readonly string[]]>([
	['st|', ['status:', 'storage:', 'stage:', 'status:stopped 1']],
	['stat|', ['status:']],
	[
		'status:|',
		'active 2,running 2,error 1,stopped 1,sleeping 1'.split(',').map(each => `status:${each}`),
	],
	['status:er|', ['status:error 1']],
	['status:eror|', ['status:error 1']],
	['err|', ['status:error 1']],
	['eror|', ['status:error 1']],
	['cpu:|', ['cpu:>80 1', 'cpu:>50 1', 'cpu:<10 1', 'cpu:20..60 0']],
	['cpu:>90|', ['cpu:>90 1']],
	['statu:error|', ['status:error']],
	['location:|', ['location:"eu north" 1']],
	['atlas version:|', ['version:1.4.2 1', 'version:1.3.9 1']],
	['version:| atlas', ['version:1.4.2 1', 'version:1.3.9 1']],
	['-version:1.3|', ['-version:1.3.9 1']],
	['vega OR version:1.4|', ['version:1.4.2 2']],
	['version:1.4| OR vega', ['version:1.4.2 2']],
	['atlas zzzz|', []],
	['account:|', ['account:lab 1']],
	['x:y|', []],
])('the completions of “%s” are %j', (drawn, expected) => {
	expect(completionsOf(drawn)).toEqual(expected);
});

test('an empty line offers the fields, and a completion replaces the whole word at the caret', () => {
	expect(completionsOf('|').slice(0, 4)).toEqual(['name:', 'status:', 'version:', 'uptime:']);
	expect(completionsOf('atlas |').slice(0, 2)).toEqual(['name:', 'status:']);
	const { from, to } = complete({ text: 'atlas status:er x', caret: 15 });
	expect([from, to]).toEqual([6, 15]);
});

test.each<[promise: string, filter: string, FieldName, cell: string, Partial<Reading>, string]>([
	['a word in upper or lower case, everywhere', 'WEB', 'name', 'web-1-web', {}, 'web web'],
	['a word as it is typed', 'a.', 'name', 'ab a.', {}, 'a.'],
	['words that overlap', 'atl tlas', 'name', 'atlas', {}, 'atl as'],
	['no word of another field', 'status:er', 'name', 'er-1', { status: 'error' }, ''],
	['no word where words do not search', '80', 'port', '8080', { ports: [{ port: 8080 }] }, ''],
	['no word in another text', 'ready', 'stage', 'Stopping 2s', { stage: 'ready' }, ''],
	['a stage as shown', '"ng i"', 'stage', 'loading image', { stage: 'loading_image' }, 'ng i'],
	['a status', 'status:err', 'status', '✖ Error', { status: 'error' }, 'Err'],
	['another word for it', 'status:run', 'status', '● Active', { status: 'running' }, '● Active'],
	['the whole compared value', 'cpu:>80', 'cpu', '82%', { cpu: 82 }, '82%'],
	['no value that does not match', 'cpu:>80 OR er', 'cpu', '12%', { cpu: 12 }, ''],
	['segments of a version', 'version:1.4', 'version', '1.4.2 ↑', { version: '1.4.2' }, '1.4'],
	['whole ports', 'port:80', 'port', '8080 80', { ports: [{ port: 8080 }, { port: 80 }] }, '80'],
])('a filter marks in a cell %s', (_, filter, name, text, reading, parts) => {
	const item = subject({ name: text, ...reading });
	const terms = filterFrom(filter, computerFilter).termsIn(item, now);
	const values = fields[name].values(item, now);
	const places = matchedPlaces(terms, { text, field: fields[name], values });
	expect(places.map(({ from, to }) => text.slice(from, to)).join(' ')).toBe(parts);
});
