import {
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Change } from '../../source/fleet/change.ts';
import { operationIds } from '../../source/fleet/operations/operation-table.ts';
import { readFleet } from '../../source/journal/fleet-file.ts';
import {
	appendLines,
	changeIn,
	createLogTail,
	logFiles,
	logLine,
	readLines,
} from '../../source/journal/log-files.ts';
import { usageCells } from '../../source/store/usage-history.ts';
import {
	account,
	fact,
	listRead,
	operationChanged,
	operationFacts,
	start,
	statusRead,
} from '../arbitraries/sample-facts.ts';
import { minute, second } from '../durations.ts';
import { runProgram } from './run.ts';
import { stateDirectory } from './state-directory.ts';

const stop = { key: 'k', operation: 'stop', computer: 'sb_1' };
const atlas = { id: 'sb_1', name: 'atlas', status: 'active', version: '1.4.2', cpu: 12 };
const borealis = { id: 'sb_2', name: 'borealis', status: 'stopped', ports: [{ port: 8080 }] };

const credits = (at: number, balance: number) =>
	fact(at, { type: 'answered', read: 'credits', answer: { balance } });

test('the next run of the program starts with the state that the last run saved', () => {
	const directory = stateDirectory();
	const first = runProgram(directory);
	const start = first.clock.now();
	const at = (seconds: number) => start + seconds * second;
	const plan = { plan: 'pro', planName: 'Pro' };
	const release = { version: '1.4.2', changes: [] };
	first.store.receive([
		fact(at(0), { type: 'answered', read: 'subscription', answer: plan }),
		fact(at(0), { type: 'answered', read: 'release', answer: release }),
		credits(at(0), 41.5),
		listRead(at(1), [{ ...atlas, status: 'starting' }, borealis]),
		listRead(at(3), [atlas, borealis]),
		...operationFacts(stop, { queued: at(5), sent: at(6), accepted: at(7) }),
		statusRead(at(9), { id: 'sb_1', status: 'stopped' }),
		...operationFacts(stop, { queued: at(5), sent: at(6), accepted: at(7), done: at(9) }).slice(3),
	]);
	first.journal.close();

	const [before, after] = [first.state(), runProgram(directory).state()];
	const known = ({ computers }: typeof before) =>
		[...computers.values()].map(({ reading, phase, since, stopReason }) => {
			return { reading, phase, since, stopReason };
		});
	expect(known(after)).toEqual(known(before));
	expect(after.computerReads.get('sb_1')).toMatchObject({ restoredFrom: at(9) });
	for (const name of ['changes', 'samples', 'subscription', 'release', 'credits'] as const)
		expect(after[name], name).toEqual(before[name]);
	expect(after.reads.credits?.answer?.at).toBe(at(0));
	expect(first.troubles).toEqual([]);
});

test('reading the journal skips damaged lines', () => {
	const directory = stateDirectory();
	const { store, clock } = runProgram(directory);
	store.receive([listRead(clock.now(), [atlas]), listRead(clock.now() + 1, [atlas, borealis])]);
	const line = (what: string) => `{"version":1,"account":"${account}","what":{${what}`;
	const damage = [
		line('"type":"statusChanged","at":1,"id":"sb_1"'),
		line('"type":"statusChanged","at":"yesterday"}}'),
		line('"type":"constructor"}}'),
		...['null', '\u0000\u0000\u0000'],
	];
	appendLines(directory, damage, clock.now());
	expect(runProgram(directory).state().changes).toHaveLength(1);
});

test('the reason of an error that was read after the change is in the journal, and is read as part of the change', () => {
	const directory = stateDirectory();
	const first = runProgram(directory);
	const start = first.clock.now();
	first.store.receive([
		listRead(start, [atlas]),
		listRead(start + second, [{ ...atlas, status: 'error' }]),
		statusRead(start + 2 * second, { id: 'sb_1', status: 'error', error: 'disk quota exceeded' }),
		listRead(start + 3 * second, [atlas]),
	]);
	expect(readLines(directory)).toHaveLength(3);
	const { changes } = runProgram(directory).state();
	expect(changes).toEqual(first.state().changes);
	expect(changes).toMatchObject([
		{ to: 'error', error: 'disk quota exceeded' },
		{ from: 'error', to: 'active' },
	]);
});

test.each([
	['nothing', [], [], []],
	['all', [], ['a error', 'b stopped'], ['a error', 'b stopped']],
	['what the log has', ['a error'], ['a error'], []],
	['what another one noticed in other steps', ['a stopping', 'a stopped'], ['a stopped'], []],
	['one of two', ['a error'], ['a error', 'a active', 'a error'], ['a active', 'a error']],
	['a reason that is known now', ['a error'], ['a error full'], ['a error full']],
	['another computer', ['a error'], ['b error'], ['b error']],
	['what is older than two minutes', [], ['a error'], [], 150 * second],
])(
	'a process that begins to record writes what the log lacks: %s',
	(_, written, held, missing, age = 0) => {
		const directory = stateDirectory();
		const { store, clock, recorder } = runProgram(directory, { isRecorder: false });
		const changesOf = (texts: readonly string[]) =>
			texts.map((text, place): Change => {
				const [id = '', to = '', error] = text.split(' ');
				const at = clock.now() + place;
				return { type: 'statusChanged', id, from: 'active', to, at, notBefore: at, error };
			});
		const lines = changesOf(written).map(change => logLine(account, change));
		appendLines(directory, lines, clock.now());
		store.receive([fact(clock.now(), { type: 'recalled', changes: changesOf(held) })]);
		clock.move(age);
		for (const isRecorder of [true, false, true]) recorder.setState(isRecorder);
		const added = readLines(directory)
			.slice(lines.length)
			.flatMap(line => changeIn(line, account) ?? [])
			.flatMap(change => (change.type === 'statusChanged' ? change : []));
		expect(added.map(({ id, to, error }) => [id, to, error].filter(Boolean).join(' '))).toEqual(
			missing,
		);
	},
);

test('the journals of two accounts are separate', () => {
	const directory = stateDirectory();
	for (const name of [account, '../other']) {
		const { store, clock, journal } = runProgram(directory, { account: name });
		const start = clock.now();
		store.receive([
			listRead(start, [atlas]),
			{ ...listRead(start, [borealis]), account: '../other' },
			{ ...listRead(start + 1, []), account: '../other' },
		]);
		journal.close();
	}
	expect(readdirSync(directory).every(name => /^[a-z0-9.-]+$/.test(name))).toBe(true);
	const { computers, changes } = runProgram(directory).state();
	expect([...computers.keys()]).toEqual(['sb_1']);
	expect(changes).toEqual([]);
});

test('the journal returns the whole history of one computer', () => {
	const directory = stateDirectory();
	const { store, clock } = runProgram(directory);
	const start = clock.now();
	store.receive([
		listRead(start, [atlas, borealis]),
		statusRead(start + 1, { id: 'sb_2', status: 'active' }),
		...operationFacts(stop, { queued: start + 2, sent: start + 3 }),
		statusRead(start + 4, { id: 'sb_1', status: 'stopped' }),
	]);
	const again = runProgram(directory, { process: '2' });
	again.journal.loadHistory('sb_1');
	expect(again.state().history?.changes).toMatchObject([
		{ type: 'operationMoved', pane: '1' },
		{ type: 'statusChanged' },
	]);
});

test('the last known fleet keeps the balances and the CPU of the last half hour, also after a command has written it', () => {
	const directory = stateDirectory();
	const monitor = runProgram(directory);
	const { clock } = monitor;
	for (let minutes = 0; minutes < 20; minutes += 1) {
		const at = clock.now();
		monitor.store.receive([credits(at, 50 - minutes), listRead(at, [{ ...atlas, cpu: 80 }])]);
		clock.move(minute);
	}
	monitor.journal.close();
	const command = runProgram(directory, { clock });
	command.store.receive([listRead(clock.now(), [atlas])]);
	command.journal.close();
	const busyCells = () => {
		const { usage } = runProgram(directory, { clock }).state();
		return usageCells(usage, 'sb_1', 'cpu', clock.now(), 40).filter(level => level).length;
	};
	const { samples } = runProgram(directory, { clock }).state();
	expect(samples).toEqual(monitor.state().samples);
	expect(samples).toHaveLength(20);
	expect(busyCells()).toBeGreaterThan(15);
	clock.move(31 * minute);
	expect(busyCells()).toBe(0);
});

test('the last known fleet is written at once after the first list, also if the balance was kept before it, and then every half a minute', () => {
	const directory = stateDirectory();
	const { store, clock } = runProgram(directory);
	const kept = () => [...runProgram(directory).state().computers.keys()];
	store.receive([credits(clock.now(), 5)]);
	clock.move(100);
	expect(readFleet(directory, account)).toMatchObject([{ read: 'credits' }, { computers: [] }]);
	store.receive([listRead(clock.now(), [atlas])]);
	clock.move(100);
	expect(kept()).toEqual(['sb_1']);
	store.receive([listRead(clock.now(), [atlas, borealis])]);
	clock.move(29 * second);
	expect(kept()).toEqual(['sb_1']);
	clock.move(second);
	expect(kept()).toEqual(['sb_1', 'sb_2']);
});

test('a process that no longer records writes no fleet, except what it read last when it ends', () => {
	const [left, ended] = [stateDirectory(), stateDirectory()];
	const runs = [runProgram(left), runProgram(ended)];
	for (const { store, clock, recorder } of runs) {
		store.receive([listRead(clock.now(), [atlas])]);
		recorder.setState(false);
	}
	runs[1]?.journal.close();
	runs[0]?.clock.move(minute);
	runs[0]?.journal.close();
	expect(readFleet(left, account)).toEqual([]);
	expect(readFleet(ended, account)).toMatchObject([{ computers: [{}] }]);
});

test('the last known fleet never contains a share token', () => {
	const directory = stateDirectory();
	const { store, clock, journal } = runProgram(directory);
	const ports = [
		{ port: 80, url: 'https://api.example/v1/p/share/s3cret', shareToken: 's3cret' },
		{ port: 81, url: 'https://api.example/v1/p/1/81' },
	];
	store.receive([listRead(clock.now(), [{ ...atlas, ports }])]);
	journal.close();
	const texts = readdirSync(directory).map(name => readFileSync(join(directory, name), 'utf8'));
	expect(texts.join()).not.toContain('s3cret');
	const { reading } = runProgram(directory).state().computers.get('sb_1') ?? {};
	expect(reading?.ports).toEqual([{ port: 80 }, ports[1]]);
});

test('the journal reports once that it cannot be written, for each file, and continues', () => {
	const directory = stateDirectory();
	writeFileSync(directory, 'a file in the way');
	const { store, clock, journal, troubles } = runProgram(directory);
	const start = clock.now();
	for (let place = 0; place < 5; place += 1) {
		store.receive([listRead(start + place * second, place % 2 ? [atlas] : [atlas, borealis])]);
		store.receive([credits(start + place * minute, 1)]);
		clock.move(minute);
		journal.close();
	}
	expect(troubles).toEqual([
		expect.stringMatching(/^Cannot save the last known fleet: /),
		expect.stringMatching(/^Cannot save the journal: /),
	]);
});

test('each operation that is sent without a line in the journal is told, and a batch once', () => {
	const directory = stateDirectory();
	const { store, troubles } = runProgram(directory);
	writeFileSync(directory, 'a file in the way');
	for (const [key, batch] of [['1'], ['2'], ['3', 'batch'], ['4', 'batch']] as const) {
		const wish = { key, operation: 'stop', computer: key, name: `computer ${key}`, batch };
		store.receive([fact(2, operationChanged(wish, 'sent', { sent: 2 }))]);
	}
	expect(troubles.filter(message => message.includes('is sent'))).toEqual([
		expect.stringMatching(/^Stop of computer 1 is sent, but the journal cannot note it: /),
		expect.stringMatching(/^Stop of computer 2 is sent, /),
		expect.stringMatching(/^Stop of computer 3 is sent, /),
	]);
});

test('the request of an operation is in the journal before the platform can receive it, with known fields only', () => {
	const directory = stateDirectory();
	const { store, clock } = runProgram(directory);
	const at = clock.now();
	store.receive([
		fact(at, { type: 'signInTried', email: 'owner@example.com' }),
		listRead(at, [atlas]),
		...operationFacts(stop, { queued: at, sent: at }),
	]);
	expect(readLines(directory).map(line => JSON.parse(line))).toEqual([
		{
			version: 1,
			account,
			what: {
				type: 'operationMoved',
				pane: '1',
				at,
				wish: stop,
				to: 'sent',
				took: 0,
				who: 'owner@example.com',
			},
		},
	]);
});

test.each([
	['was accepted', { queued: 1, sent: 2, accepted: 3 }, { to: 'sent', isAccepted: true }],
	[
		'has no response',
		{ queued: 1, sent: 2 },
		{ to: 'unknown', message: 'no response before crowsnest ended' },
	],
])('the last line of an operation says that it %s when its process ends', (_, times, last) => {
	const directory = stateDirectory();
	const { store, journal } = runProgram(directory);
	store.receive([listRead(start, [atlas]), ...operationFacts(stop, times)]);
	journal.close();
	const lines = readLines(directory).map(line => JSON.parse(line));
	expect(lines.at(-1)).toMatchObject({ what: { type: 'operationMoved', ...last } });
});

test.each([
	['another process', 'here', '8', { pane: '7', isElsewhere: undefined }],
	['its own process', 'here', '7', { pane: undefined, isElsewhere: undefined }],
	['another machine with the same home folder', 'there', '7', { pane: '7', isElsewhere: true }],
])(
	'the line of an operation names its process and machine, as read by %s',
	(_, machine, process, read) => {
		const directory = stateDirectory();
		const { store } = runProgram(directory, { process: '7', machine: 'here' });
		store.receive([
			listRead(start, [atlas]),
			...operationFacts(stop, { queued: start, sent: start }),
		]);
		const { changes } = runProgram(directory, { process, machine }).state();
		const [move] = changes;
		if (move?.type !== 'operationMoved') throw new Error('no operation');
		expect({ pane: move.pane, isElsewhere: move.isElsewhere }).toEqual(read);
	},
);

const november = Date.UTC(2026, 10, 28);
const december = Date.UTC(2026, 11, 1);
const times = new Map([
	['November', november],
	['December', december],
	['January', Date.UTC(2027, 0)],
]);

test.each([
	['the first file is named by its month', 'November', '2026-11-001'],
	['lines of a month share a file', 'November November', '2026-11-001'],
	['a month begins a file', 'November December', '2026-11-001 2026-12-001'],
	['a clock that was set back begins none', 'December November', '2026-12-001'],
	['a full file is followed by another', 'November! November', '2026-11-001 2026-11-002'],
	[
		'the last four files stay',
		'November! November! November! December January',
		'2026-11-002 2026-11-003 2026-12-001 2027-01-001',
	],
])('%s', (_, appended, names) => {
	const directory = stateDirectory();
	const lines = appended.split(' ').map((word, at) => {
		const [month = '', isFull] = word.split('!');
		const line = isFull === undefined ? `line ${at}` : 'x'.repeat(2_000_000);
		appendLines(directory, [line], times.get(month) ?? 0);
		return line;
	});
	expect(logFiles(directory)).toEqual(names.split(' ').map(name => `${name}.jsonl`));
	expect(readLines(directory)).toEqual(lines.slice(lines.length > 4 ? 1 : 0));
});

test('files and folder are for their owner only, and a link is refused', () => {
	const directory = stateDirectory();
	appendLines(directory, ['a'], november);
	const path = join(directory, '2026-11-001.jsonl');
	expect([statSync(directory).mode & 0o777, statSync(path).mode & 0o777]).toEqual([0o700, 0o600]);
	symlinkSync(path, join(directory, '2026-12-001.jsonl'));
	expect(() => appendLines(directory, ['b'], december)).toThrow('is a link');
	expect(readFileSync(path, 'utf8')).toBe('\na\n');
});

test('a tail tells each line once, whole, and goes on in the next file; a torn line spoils no line after it', () => {
	const directory = stateDirectory();
	mkdirSync(directory, { mode: 0o700, recursive: true });
	const early = createLogTail(directory);
	appendLines(directory, ['early ü'], november);
	const tail = createLogTail(directory);
	const newLines = () => tail().map(({ text }) => text);
	expect(newLines()).toEqual([]);
	const path = join(directory, '2026-11-001.jsonl');
	const write = (text: string) => writeFileSync(path, text, { flag: 'a' });
	appendLines(directory, ['a ü', 'b'], november);
	write('c');
	expect(newLines()).toEqual(['a ü', 'b']);
	write('c\n{"torn');
	appendLines(directory, ['d'], november);
	appendLines(directory, ['e'], december);
	expect(newLines()).toEqual(['cc', '{"torn', 'd', 'e']);
	expect(newLines()).toEqual([]);
	expect(early()).toHaveLength(7);
});

test('the journal reads back a line about every operation, also about one that this version does not know', () => {
	for (const operation of [...operationIds(), 'of-another-version']) {
		const wish = { key: 'k', operation };
		const what = { type: 'operationMoved', at: 1, wish, to: 'sent', took: 0 };
		const line = JSON.stringify({ version: 1, account: 'a', what });
		expect(changeIn(line, 'a'), operation).toEqual(what);
	}
});
