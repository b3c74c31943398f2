import {
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
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
import { runProgram } from './run.ts';
import { stateDirectory } from './state-directory.ts';

const stop = { key: 'k', operation: 'stop', computer: 'sb_1' };
const second = 1_000;
const minute = 60 * second;
const atlas = { id: 'sb_1', name: 'atlas', status: 'active', version: '1.4.2', cpu: 12 };
const borealis = { id: 'sb_2', name: 'borealis', status: 'stopped', ports: [{ port: 8080 }] };

test('the next run of the program starts with the state that the last run saved', async () => {
	const directory = await stateDirectory();
	const first = runProgram(directory);
	const start = first.clock.now();
	const at = (seconds: number) => start + seconds * second;
	first.store.receive([
		fact(at(0), {
			type: 'answered',
			read: 'subscription',
			answer: { plan: 'pro', planName: 'Pro' },
		}),
		fact(at(0), { type: 'answered', read: 'release', answer: { version: '1.4.2', changes: [] } }),
		fact(at(0), { type: 'answered', read: 'credits', answer: { balance: 41.5 } }),
		listRead(at(1), [{ ...atlas, status: 'starting' }, borealis]),
		listRead(at(3), [atlas, borealis]),
		...operationFacts(stop, { queued: at(5), sent: at(6), accepted: at(7) }),
		statusRead(at(9), { id: 'sb_1', status: 'stopped' }),
		...operationFacts(stop, { queued: at(5), sent: at(6), accepted: at(7), done: at(9) }).slice(3),
	]);
	first.journal.close();

	const second_ = runProgram(directory);
	const [before, after] = [first.state(), second_.state()];
	expect([...after.computers.keys()]).toEqual(['sb_1', 'sb_2']);
	for (const [id, { reading, phase, since, stopReason }] of before.computers) {
		expect(after.computers.get(id)).toMatchObject({ reading, phase, since });
		expect(after.computers.get(id)?.stopReason).toBe(stopReason);
	}
	expect(after.computerReads.get('sb_1')).toMatchObject({ restoredFrom: at(9) });
	expect(after.changes).toEqual(before.changes);
	expect(after.samples).toEqual(before.samples);
	expect(after.subscription).toEqual(before.subscription);
	expect(after.release).toEqual(before.release);
	expect(after.credits).toEqual(before.credits);
	expect(after.reads.credits?.answer?.at).toBe(at(0));
	expect(first.troubles).toEqual([]);
});

test('reading the journal skips damaged lines', async () => {
	const directory = await stateDirectory();
	const first = runProgram(directory);
	const start = first.clock.now();
	first.store.receive([
		listRead(start, [atlas]),
		listRead(start + second, [atlas, borealis]),
		fact(start, { type: 'answered', read: 'credits', answer: { balance: 5 } }),
	]);
	first.journal.close();
	const damage = [
		`{"version":1,"account":"${account}","what":{"type":"statusChanged","at":1,"id":"sb_1"`,
		'null',
		`{"version":1,"account":"${account}","what":{"type":"statusChanged","at":"yesterday"}}`,
		`{"version":1,"account":"${account}","what":{"type":"constructor"}}`,
		'\u0000\u0000\u0000',
	];
	appendLines(directory, damage, start);
	const again = runProgram(directory);
	expect(again.state().changes).toHaveLength(1);
});

test('the reason of an error that was read after the change is in the journal, and is read as part of the change', async () => {
	const directory = await stateDirectory();
	const first = runProgram(directory);
	const start = first.clock.now();
	first.store.receive([
		listRead(start, [atlas]),
		listRead(start + second, [{ ...atlas, status: 'error' }]),
		statusRead(start + 2 * second, { id: 'sb_1', status: 'error', error: 'disk quota exceeded' }),
		listRead(start + 3 * second, [atlas]),
	]);
	first.journal.close();
	expect(readLines(directory)).toHaveLength(3);
	const { changes } = runProgram(directory).state();
	expect(changes).toEqual(first.state().changes);
	expect(changes).toMatchObject([
		{ to: 'error', error: 'disk quota exceeded' },
		{ from: 'error', to: 'active' },
	]);
});

test('a change that two panes have written is read once', async () => {
	const directory = await stateDirectory();
	const panes = [runProgram(directory, { process: '1' }), runProgram(directory, { process: '2' })];
	for (const [place, { store, clock }] of panes.entries()) {
		const at = (seconds: number) => clock.now() + place * 700 + seconds * second;
		store.receive([
			listRead(at(0), [atlas]),
			statusRead(at(4), { id: 'sb_1', status: 'stopped' }),
			statusRead(at(8), { id: 'sb_1', status: 'active' }),
			statusRead(at(12), { id: 'sb_1', status: 'stopped' }),
		]);
	}
	for (const { journal } of panes) journal.close();
	const { changes } = runProgram(directory).state();
	expect(changes.map(change => 'to' in change && change.to)).toEqual([
		'stopped',
		'active',
		'stopped',
	]);
});

const changed = (id: string, to: string, at: number, error?: string): Change => ({
	...{ type: 'statusChanged', id, from: 'active', to, at, notBefore: at },
	...(error !== undefined && { error }),
});

test.each([
	['nothing', [], [], []],
	['all', [], ['a error', 'b stopped'], ['a error', 'b stopped']],
	['what the log has', ['a error'], ['a error'], []],
	[
		'a change that another process noticed in other steps',
		['a stopping', 'a stopped'],
		['a stopped'],
		[],
	],
	[
		'the second of two failures',
		['a error'],
		['a error', 'a active', 'a error'],
		['a active', 'a error'],
	],
	['a reason that is known now', ['a error'], ['a error full'], ['a error full']],
	['another computer', ['a error'], ['b error'], ['b error']],
])(
	'a process that begins to record writes what the log lacks: %s',
	async (_, written, held, missing) => {
		const directory = await stateDirectory();
		const { store, clock, recorder } = runProgram(directory, { isRecorder: false });
		const changesOf = (texts: readonly string[]) =>
			texts.map((text, place) => {
				const [id = '', to = '', error] = text.split(' ');
				return changed(id, to, clock.now() + place, error);
			});
		const lines = changesOf(written).map(change => logLine(account, change));
		if (lines.length > 0) appendLines(directory, lines, clock.now());
		store.receive([fact(clock.now(), { type: 'recalled', changes: [...changesOf(held)] })]);
		recorder.setState(true);
		const added = readLines(directory)
			.slice(lines.length)
			.flatMap(line => changeIn(line, account) ?? [])
			.flatMap(change => (change.type === 'statusChanged' ? change : []));
		expect(added.map(({ id, to, error }) => [id, to, error].filter(Boolean).join(' '))).toEqual(
			missing,
		);
	},
);

test('a process that begins to record writes what it saw in the last two minutes and the log lacks', async () => {
	const directory = await stateDirectory();
	const recorder = runProgram(directory, { process: '1' });
	const follower = runProgram(directory, { process: '2', isRecorder: false });
	const begin = follower.clock.now();
	const facts = [
		listRead(begin, [atlas, borealis]),
		statusRead(begin + second, { id: 'sb_1', status: 'stopped' }),
		statusRead(begin + 130 * second, { id: 'sb_1', status: 'active' }),
		statusRead(begin + 140 * second, { id: 'sb_2', status: 'active' }),
	];
	recorder.store.receive(facts.slice(0, 3));
	follower.store.receive(facts);
	const written = async () =>
		runProgram(directory)
			.state()
			.changes.map(change => 'to' in change && change.to);
	expect(await written()).toEqual(['stopped', 'active']);
	follower.clock.move(150 * second);
	follower.recorder.setState(true);
	follower.recorder.setState(false);
	follower.recorder.setState(true);
	expect(await written()).toEqual(['stopped', 'active', 'active']);
	expect(readLines(directory)).toHaveLength(3);
});

test('the journals of two accounts are separate', async () => {
	const directory = await stateDirectory();
	const first = runProgram(directory);
	const other = runProgram(directory, { account: '../other' });
	const start = first.clock.now();
	const facts = [
		listRead(start, [atlas]),
		{ ...listRead(start, [borealis]), account: '../other' },
		{ ...listRead(start + 1, []), account: '../other' },
	];
	for (const { store, journal } of [first, other]) {
		store.receive(facts);
		journal.close();
	}
	expect((await readdir(directory)).every(name => /^[a-z0-9.-]+$/.test(name))).toBe(true);
	const again = runProgram(directory);
	expect([...again.state().computers.keys()]).toEqual(['sb_1']);
	expect(again.state().changes).toEqual([]);
});

test('the journal returns the whole history of one computer', async () => {
	const directory = await stateDirectory();
	const { store, clock } = runProgram(directory);
	const start = clock.now();
	store.receive([
		listRead(start, [atlas, borealis]),
		statusRead(start + 1, { id: 'sb_2', status: 'active' }),
		...operationFacts(stop, { queued: start + 2, sent: start + 3 }),
		statusRead(start + 4, { id: 'sb_1', status: 'stopped' }),
	]);
	const again = runProgram(directory);
	again.journal.loadHistory('sb_1');
	expect(again.state().history?.changes.map(({ type }) => type)).toEqual([
		'operationMoved',
		'statusChanged',
	]);
});

test('the last known fleet keeps the balances and the CPU of the last half hour, also after a command has written it', async () => {
	const directory = await stateDirectory();
	const monitor = runProgram(directory);
	const { clock } = monitor;
	for (let minutes = 0; minutes < 20; minutes += 1) {
		const at = clock.now();
		monitor.store.receive([
			fact(at, { type: 'answered', read: 'credits', answer: { balance: 50 - minutes } }),
		]);
		monitor.store.receive([listRead(at, [{ ...atlas, cpu: 80 }])]);
		clock.move(minute);
	}
	monitor.journal.close();
	const command = runProgram(directory, { clock });
	command.store.receive([listRead(clock.now(), [atlas])]);
	command.journal.close();
	const next = runProgram(directory, { clock });
	expect(next.state().samples).toEqual(monitor.state().samples);
	expect(next.state().samples).toHaveLength(20);
	const busy = usageCells(next.state().usage, 'sb_1', 'cpu', clock.now(), 40);
	expect(busy.filter(level => level !== undefined && level > 0).length).toBeGreaterThan(15);
	clock.move(31 * minute);
	const { usage } = runProgram(directory, { clock }).state();
	expect(
		usageCells(usage, 'sb_1', 'cpu', clock.now(), 40).every(level => level === undefined),
	).toBe(true);
});

test('the last known fleet is written while the program runs: within a second at first, and then every half a minute', async () => {
	const directory = await stateDirectory();
	const { store, clock } = runProgram(directory);
	const kept = async () => [...runProgram(directory).state().computers.keys()];
	store.receive([listRead(clock.now(), [atlas])]);
	clock.move(100);
	expect(await kept()).toEqual(['sb_1']);
	store.receive([listRead(clock.now(), [atlas, borealis])]);
	clock.move(29 * second);
	expect(await kept()).toEqual(['sb_1']);
	clock.move(second);
	expect(await kept()).toEqual(['sb_1', 'sb_2']);
});

test('the first list is kept at once, also if the balance was kept before it, so that the next process notices what changed', async () => {
	const directory = await stateDirectory();
	const { store, clock } = runProgram(directory);
	store.receive([fact(clock.now(), { type: 'answered', read: 'credits', answer: { balance: 5 } })]);
	clock.move(100);
	expect(readFleet(directory, account)).toMatchObject([{ read: 'credits' }, { computers: [] }]);
	store.receive([listRead(clock.now(), [atlas])]);
	clock.move(100);
	const next = runProgram(directory, { process: '2' });
	next.store.receive([listRead(clock.now() + second, [{ ...atlas, status: 'error' }])]);
	expect(next.state().changes).toMatchObject([{ from: 'active', to: 'error' }]);
});

test('a process that no longer records writes no fleet', async () => {
	const directory = await stateDirectory();
	const { store, clock, journal, recorder } = runProgram(directory);
	store.receive([listRead(clock.now(), [atlas])]);
	recorder.setState(false);
	clock.move(minute);
	store.receive([listRead(clock.now(), [atlas, borealis])]);
	journal.close();
	expect(readFleet(directory, account)).toEqual([]);
});

test('what was read last is kept when the program ends, although its recording has ended before', async () => {
	const directory = await stateDirectory();
	const { store, clock, journal, recorder } = runProgram(directory);
	store.receive([listRead(clock.now(), [atlas])]);
	recorder.setState(false);
	journal.close();
	expect(readFleet(directory, account)).toMatchObject([{ computers: [{}] }]);
});

test('the last known fleet never contains a share token', async () => {
	const directory = await stateDirectory();
	const { store, clock, journal } = runProgram(directory);
	const url = 'https://api.example/v1/p/share/s3cret';
	const ports = [
		{ port: 80, url, shareToken: 's3cret' },
		{ port: 81, url: 'https://api.example/v1/p/1/81' },
	];
	store.receive([listRead(clock.now(), [{ ...atlas, ports }])]);
	journal.close();
	const texts = readdirSync(directory).map(name => readFileSync(join(directory, name), 'utf8'));
	expect(texts.join()).not.toContain('s3cret');
	const again = runProgram(directory).state().computers.get('sb_1');
	expect(again?.reading.ports).toEqual([{ port: 80 }, ports[1]]);
});

test('the journal reports once that it cannot be written, for each file, and continues', async () => {
	const directory = await stateDirectory();
	await writeFile(directory, 'a file in the way');
	const { store, clock, journal, troubles } = runProgram(directory);
	const start = clock.now();
	for (let place = 0; place < 5; place += 1) {
		store.receive([listRead(start + place * second, place % 2 ? [atlas] : [atlas, borealis])]);
		store.receive([
			fact(start + place * minute, { type: 'answered', read: 'credits', answer: { balance: 1 } }),
		]);
		clock.move(minute);
		journal.close();
	}
	expect(troubles).toEqual([
		expect.stringMatching(/^Cannot save the last known fleet: /),
		expect.stringMatching(/^Cannot save the journal: /),
	]);
});

test('each operation that is sent without a line in the journal is told, and a batch once', async () => {
	const directory = await stateDirectory();
	const { store, troubles } = runProgram(directory);
	await writeFile(directory, 'a file in the way');
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

test('the journal contains no secret, because it reads and writes only known fields', async () => {
	const directory = await stateDirectory();
	await mkdir(directory, { mode: 0o700 });
	const { store, clock, journal } = runProgram(directory);
	store.receive([
		fact(clock.now(), { type: 'signInTried', email: 'owner@example.com' }),
		listRead(clock.now(), [atlas]),
		...operationFacts(stop, { queued: clock.now(), sent: clock.now() }),
	]);
	journal.close();
	const [line = ''] = readLines(directory);
	expect(JSON.parse(line)).toEqual({
		version: 1,
		account,
		what: {
			type: 'operationMoved',
			pane: '1',
			at: clock.now(),
			wish: { key: 'k', operation: 'stop', computer: 'sb_1' },
			to: 'sent',
			took: 0,
			who: 'owner@example.com',
		},
	});
});

test('the request of an operation is in the journal before the platform can receive it', async () => {
	const directory = await stateDirectory();
	const { store, clock } = runProgram(directory);
	store.receive([listRead(clock.now(), [atlas])]);
	store.receive(operationFacts(stop, { queued: clock.now(), sent: clock.now() }));
	expect(readLines(directory)).toEqual([expect.stringContaining('"to":"sent"')]);
});

test.each([
	['was accepted', { queued: 1, sent: 2, accepted: 3 }, { to: 'sent', isAccepted: true }],
	[
		'has no response',
		{ queued: 1, sent: 2 },
		{ to: 'unknown', message: 'no response before crowsnest ended' },
	],
])(
	'the last line of an operation says that it %s when its process ends',
	async (_, times, last) => {
		const directory = await stateDirectory();
		const { store, journal } = runProgram(directory);
		store.receive([listRead(start, [atlas]), ...operationFacts(stop, times)]);
		journal.close();
		const lines = readLines(directory).map(line => JSON.parse(line));
		expect(lines.at(-1)).toMatchObject({ what: { type: 'operationMoved', ...last } });
	},
);

test('the line of an operation names its machine, and another machine with the same home folder shows it as such', async () => {
	const directory = await stateDirectory();
	const here = runProgram(directory, { process: '7', machine: 'here' });
	here.store.receive([listRead(start, [atlas])]);
	here.store.receive(operationFacts(stop, { queued: start, sent: start }));
	here.journal.close();
	const moveIn = async (machine: string, process: string) => {
		const { changes } = runProgram(directory, { process, machine }).state();
		return changes.find(change => change.type === 'operationMoved');
	};
	expect(await moveIn('here', '8')).toMatchObject({ pane: '7' });
	expect(await moveIn('here', '8')).not.toHaveProperty('isElsewhere');
	expect(await moveIn('here', '7')).not.toHaveProperty('pane');
	expect(await moveIn('there', '7')).toMatchObject({ pane: '7', isElsewhere: true });
});

test('an operation of another process names that process, and an operation of this process names no process', async () => {
	const directory = await stateDirectory();
	const other = runProgram(directory, { process: '4121' });
	other.store.receive([listRead(other.clock.now(), [atlas])]);
	other.store.receive(operationFacts(stop, { queued: other.clock.now(), sent: other.clock.now() }));
	const panesOf = ({ state }: ReturnType<typeof runProgram>) =>
		state().changes.flatMap(change => (change.type === 'operationMoved' ? [change.pane] : []));
	expect(panesOf(runProgram(directory, { process: '7' }))).toEqual(['4121']);
	expect(panesOf(runProgram(directory, { process: '4121' }))).toEqual([undefined]);
	const { journal, state } = runProgram(directory, { process: '7' });
	journal.loadHistory(atlas.id);
	expect(state().history).toMatchObject({ changes: [{ pane: '4121' }] });
});

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
])('%s', async (_, appended, names) => {
	const directory = await stateDirectory();
	const lines = appended.split(' ').map((word, at) => {
		const [month = '', isFull] = word.split('!');
		const line = isFull === undefined ? `line ${at}` : 'x'.repeat(2_000_000);
		appendLines(directory, [line], times.get(month) ?? 0);
		return line;
	});
	const files = names.split(' ');
	expect(logFiles(directory)).toEqual(files.map(name => `${name}.jsonl`));
	expect(readLines(directory)).toEqual(lines.slice(lines.length > 4 ? 1 : 0));
});

test('a torn line spoils no line after it', async () => {
	const directory = await stateDirectory();
	appendLines(directory, ['a'], november);
	const path = join(directory, '2026-11-001.jsonl');
	writeFileSync(path, '{"torn', { flag: 'a' });
	appendLines(directory, ['b', 'c'], november);
	expect(readLines(directory)).toEqual(['a', '{"torn', 'b', 'c']);
});

test('files and folder are for their owner only, and a link is refused', async () => {
	const directory = await stateDirectory();
	appendLines(directory, ['a'], november);
	const path = join(directory, '2026-11-001.jsonl');
	expect([statSync(directory).mode & 0o777, statSync(path).mode & 0o777]).toEqual([0o700, 0o600]);
	symlinkSync(path, join(directory, '2026-12-001.jsonl'));
	expect(() => appendLines(directory, ['b'], december)).toThrow('is a link');
	expect(readFileSync(path, 'utf8')).toBe('\na\n');
});

test('a tail tells each line once, whole, and goes on in the next file', async () => {
	const directory = await stateDirectory();
	mkdirSync(directory, { mode: 0o700, recursive: true });
	appendLines(directory, ['early ü'], november);
	const tail = createLogTail(directory);
	const newLines = () => tail().map(({ text }) => text);
	expect(newLines()).toEqual([]);
	appendLines(directory, ['a ü', 'b'], november);
	const path = join(directory, '2026-11-001.jsonl');
	writeFileSync(path, 'c', { flag: 'a' });
	expect(newLines()).toEqual(['a ü', 'b']);
	writeFileSync(path, 'c\n', { flag: 'a' });
	appendLines(directory, ['d'], december);
	expect(newLines()).toEqual(['cc', 'd']);
	expect(newLines()).toEqual([]);
});

test('a tail of a folder that is made later tells its first line', async () => {
	const directory = await stateDirectory();
	const tail = createLogTail(directory);
	const newLines = () => tail().map(({ text }) => text);
	appendLines(directory, ['a'], november);
	expect(newLines()).toEqual(['a']);
});

test('the journal reads back a line about every operation, also about one that this version does not know', () => {
	for (const operation of [...operationIds(), 'of-another-version']) {
		const wish = { key: 'k', operation };
		const what = { type: 'operationMoved', at: 1, wish, to: 'sent', took: 0 };
		const line = JSON.stringify({ version: 1, account: 'a', what });
		expect(changeIn(line, 'a'), operation).toEqual(what);
	}
});
