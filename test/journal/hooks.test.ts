import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Hook } from '../../source/accounts/hook-settings.ts';
import type { Change } from '../../source/fleet/change.ts';
import { shortHash } from '../../source/foundation/short-hash.ts';
import { writeFleet } from '../../source/journal/fleet-file.ts';
import { appendLines, logLine } from '../../source/journal/log-files.ts';
import { createFailure } from '../../source/platform/decoding/platform-error.ts';
import { emptyAccount } from '../../source/store/state.ts';
import { changeText } from '../../source/views/log.ts';
import { operationChanged } from '../arbitraries/sample-facts.ts';
import { createHeldClock } from '../held-clock.ts';
import { isProcessRunning } from '../processes/running.ts';
import { runs } from '../runs.ts';
import { createFakeChildren, createHookedFleet, hookOn, temporaryFolder } from './hooked-fleet.ts';

const isOfHook = ({ type }: Change) => type === 'hookFailed';
const eventText = (change: Change) => changeText(change);

describe('a hook on computerFailed', () => {
	test('runs for a computer that goes into error, and not for a computer that was in error before the first start', async () => {
		const { list, pass, reported, started } = createHookedFleet();
		list({ nova: 'active', atlas: 'error' });
		await pass(2_000);
		list({ nova: 'error', atlas: 'error' });
		await pass(2_000);
		expect(reported()).toEqual(['computerFailed nova active→error']);
		expect(started[0]?.record).toMatchObject({
			account: 'work',
			computer: { id: 'nova', name: 'nova', address: null },
			reason: null,
			merged: 0,
		});
		expect(started[0]?.variables).toMatchObject({
			CROWSNEST_EVENT: 'computerFailed',
			CROWSNEST_COMPUTER_ID: 'nova',
			CROWSNEST_TO: 'error',
		});
	});

	test('runs for the first change after the very first list, which was asked for before this process became the recorder', async () => {
		const { store, clock, list, pass, reported } = createHookedFleet();
		const askedAt = clock.now() - 200;
		const computers = [{ id: 'nova', name: 'nova', status: 'active' }];
		store.receive([{ account: 'key', at: clock.now(), askedAt, type: 'listRead', computers }]);
		await pass(3_000);
		list({ nova: 'error' });
		await pass(1_000);
		expect(reported()).toEqual(['computerFailed nova active→error']);
	});

	test('runs for a new computer that is in error when it is first seen', async () => {
		const { list, pass, reported } = createHookedFleet();
		list({ nova: 'active' });
		list({ nova: 'active', atlas: 'error' });
		await pass(1_000);
		expect(reported()).toEqual(['computerFailed atlas null→error']);
	});

	const failed = async () => {
		const fleet = createHookedFleet({
			hooks: [hookOn(['computerFailed'], { cooldownMs: 0 })],
		});
		fleet.listWithoutReasons({ nova: 'active' });
		await fleet.pass(100);
		fleet.listWithoutReasons({ nova: 'error' });
		const reasons = () => fleet.started.map(({ record }) => record['reason']);
		const statusRead = (error?: string) =>
			fleet.fold({
				type: 'computerRead',
				read: 'status',
				computer: { id: 'nova', status: 'error', ...(error && { error }) },
			});
		return { ...fleet, reasons, statusRead };
	};

	test('waits for the reason, and runs once with it as soon as it is read', async () => {
		const { pass, reasons, statusRead, listWithoutReasons } = await failed();
		await pass(4_000);
		expect(reasons()).toEqual([]);
		statusRead('disk full');
		await pass(500);
		expect(reasons()).toEqual(['disk full']);
		listWithoutReasons({ nova: 'error' });
		await pass(30_000);
		expect(reasons()).toEqual(['disk full']);
	});

	test('runs without a reason when it was not read for ten seconds, and not again when it is', async () => {
		const { pass, reasons, statusRead } = await failed();
		await pass(9_900);
		expect(reasons()).toEqual([]);
		await pass(500);
		expect(reasons()).toEqual([null]);
		statusRead('disk full');
		await pass(30_000);
		expect(reasons()).toEqual([null]);
	});

	test('runs at once when the platform gives no reason, or the computer recovers', async () => {
		const unexplained = await failed();
		unexplained.statusRead();
		await unexplained.pass(500);
		expect(unexplained.reasons()).toEqual([null]);
		const recovered = await failed();
		recovered.listWithoutReasons({ nova: 'active' });
		await recovered.pass(500);
		expect(recovered.reported()).toEqual(['computerFailed nova active→error']);
		await recovered.pass(30_000);
		expect(recovered.started).toHaveLength(1);
	});

	test('runs in the next process if this one is killed while it waits for the reason', async () => {
		const { pass, reasons, detach, clock, directory, children } = await failed();
		detach();
		await pass(30_000);
		expect(reasons()).toEqual([]);
		const hooks = [hookOn(['computerFailed'], { cooldownMs: 0 })];
		const next = createHookedFleet({ clock, directory, children, hooks });
		await next.pass(1_000);
		next.listWithoutReasons({ nova: 'error' });
		await next.pass(30_000);
		expect(reasons()).toEqual([null]);
	});

	test('runs once at the next start for a computer that failed in the meantime', async () => {
		const first = createHookedFleet();
		const { clock, directory, children } = first;
		first.list({ nova: 'active', atlas: 'active' });
		first.list({ nova: 'error', atlas: 'active' });
		await first.pass(200);
		first.detach();
		for (let start = 0; start < 3; start += 1) {
			await first.pass(300_000, 60_000);
			// The snapshot is older than what the hooks were informed about.
			const seenAt = clock.now() - 400_000;
			const computers = ['nova', 'atlas'].map(id => ({
				reading: { id, status: 'active' },
				seenAt,
			}));
			writeFleet(directory, 'key', [{ account: 'key', at: seenAt, type: 'recalled', computers }]);
			const { list, detach, pass } = createHookedFleet({ clock, directory, children });
			await pass(100);
			list({ nova: 'error', atlas: 'error' });
			await pass(1_000);
			detach();
		}
		expect(first.reported()).toEqual([
			'computerFailed nova active→error',
			'computerFailed atlas active→error',
		]);
	});

	test('runs once while two processes record, because one was stopped and does not know of the other', async () => {
		const first = createHookedFleet();
		const { clock, directory, children, pass, reported } = first;
		const fleets = [first, createHookedFleet({ clock, directory, children })];
		for (const status of ['active', 'error']) {
			for (const { list } of fleets) list({ nova: status });
			await pass(3_000);
		}
		expect(reported()).toEqual(['computerFailed nova active→error']);
	});

	test('waits for the cooldown of the computer, and then reports its last failure once', async () => {
		const { list, pass, reported, started, clock } = createHookedFleet();
		const begin = clock.now();
		list({ nova: 'active' });
		for (let count = 0; count < 5; count += 1) {
			list({ nova: 'error' });
			await pass(5_000);
			list({ nova: 'active' });
			await pass(5_000);
		}
		await pass(60_000);
		expect(reported()).toHaveLength(2);
		expect(started.map(({ at }) => at - begin)).toEqual([0, 61_000]);
		expect(started[1]?.record['merged']).toBe(3);
	});

	test('runs when the list has no statuses, as soon as a status read shows the failure', async () => {
		const { fold, pass, reported } = createHookedFleet();
		const named = { type: 'listRead', computers: [{ id: 'nova' }, { id: 'atlas' }] } as const;
		const status = (id: string, word: string) =>
			fold({ type: 'computerRead', read: 'status', computer: { id, status: word } });
		fold(named);
		status('nova', 'error');
		status('atlas', 'active');
		status('atlas', 'error');
		await pass(1_000);
		expect(reported()).toEqual(['computerFailed atlas active→error']);
	});

	test('reports each failure of random histories exactly once, with restarts, kills and takeovers in between', () => {
		const words = ['active', 'stopped', 'error', 'running', 'Error', 'starting'] as const;
		const step = fc.oneof(
			{ weight: 6, arbitrary: fc.record({ id: fc.nat(3), status: fc.constantFrom(...words) }) },
			{ weight: 1, arbitrary: fc.constantFrom('restart', 'takeover', 'silence') },
		);
		return fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 40 }), async steps => {
				const clock = createHeldClock();
				const directory = temporaryFolder();
				const children = createFakeChildren(clock, 10);
				const hooks = [hookOn(['computerFailed'], { cooldownMs: 1, maxRunning: 2 })];
				let recorder = 0;
				const begin = (number: number) =>
					createHookedFleet({
						clock,
						directory,
						children,
						hooks,
						isRecorder: recorder === number,
					});
				let fleets = [begin(0), begin(1)];
				const world: Record<string, string> = {
					'0': 'active',
					'1': 'error',
					'2': 'active',
					'3': 'stopped',
				};
				const isFailed = (id: string) => world[id]?.toLowerCase() === 'error';
				const expected: string[] = [];
				const readAll = async () => {
					for (const { list } of fleets) list(world);
					await fleets[0]?.pass(30, 10);
				};
				await readAll();
				// From now on there is a last known fleet.
				await fleets[0]?.pass(200);
				for (const each of steps) {
					if (each === 'takeover') {
						fleets[recorder]?.recorder.setState(false);
						recorder = 1 - recorder;
						fleets[recorder]?.recorder.setState(true);
					} else if (each === 'restart') {
						for (const { detach } of fleets) detach();
						fleets = [begin(0), begin(1)];
					} else if (each === 'silence') await fleets[0]?.pass(200_000, 100_000);
					else {
						const id = String(each.id);
						const wasFailed = isFailed(id);
						world[id] = each.status;
						if (!wasFailed && isFailed(id)) expected.push(id);
						await readAll();
					}
				}
				// The first list after a takeover or a start may have been requested before the takeover or the
				// start.
				await readAll();
				await readAll();
				const reported = children.started.map(
					({ record }) => (record['computer'] as { id: string }).id,
				);
				expect(reported).toEqual(expected);
			}),
			runs(40),
		);
	});
});

describe('hooks of other kinds', () => {
	test('run on changes between the statuses that they name', async () => {
		const hooks = [
			hookOn(['stateChanged'], { id: 'any', cooldownMs: 1 }),
			hookOn(['stateChanged'], { id: 'asleep', from: ['active'], to: ['stopped'], cooldownMs: 1 }),
		];
		const { list, pass, reported } = createHookedFleet({ hooks });
		list({ nova: 'running' });
		list({ nova: 'stopping' });
		await pass(500);
		list({ nova: 'active' });
		await pass(500);
		list({ nova: 'paused' });
		await pass(500);
		list({});
		await pass(500);
		expect(reported()).toEqual([
			'stateChanged nova running→stopping',
			'stateChanged nova stopping→active',
			'stateChanged nova active→paused',
			'stateChanged nova active→paused',
			'stateChanged nova paused→null',
		]);
	});

	test('run when an operation ends, with its outcome and the reason of a failure', async () => {
		const { list, fold, pass, started, clock, directory } = createHookedFleet({
			hooks: [hookOn(['operationEnded'], { cooldownMs: 0 })],
		});
		list({ nova: 'active' });
		const nova = { computer: 'nova', name: 'nova' };
		const stop = { key: 'k1', operation: 'stop', ...nova };
		const restart = { key: 'k2', operation: 'restart', ...nova };
		const failure = createFailure('conflict', 'it is busy');
		fold(operationChanged(stop, 'sent', { sent: 1 }));
		fold(operationChanged(stop, 'failed', { sent: 1, ended: 2 }, { failure }));
		fold(operationChanged(restart, 'sent', { sent: 3 }));
		fold(operationChanged(restart, 'done', { sent: 3, ended: 4 }));
		await pass(1_000);
		// Two processes may have looked for the outcome.
		for (const to of ['unknown', 'settled'] as const) {
			const again = {
				type: 'operationMoved',
				at: clock.now(),
				wish: restart,
				to,
				took: 9,
			} as const;
			appendLines(directory, [logLine('key', again)], clock.now());
		}
		await pass(5_000);
		expect(started.map(({ record: { operation, to, reason } }) => [operation, to, reason])).toEqual(
			[
				['stop', 'failed', 'it is busy'],
				['restart', 'done', null],
			],
		);
	});

	test('run for what a command writes to the log, also while no process runs them', async () => {
		const hooks = [hookOn(['operationEnded'])];
		const fleet = createHookedFleet({ hooks });
		const { clock, directory, children, list, pass, started, detach } = fleet;
		const write = (computer: string) => {
			const wish = { key: `of ${computer}`, operation: 'stop', computer };
			const ended = {
				type: 'operationMoved',
				to: 'settled',
				wish,
				took: 1,
				pane: 'another',
			} as const;
			appendLines(directory, [logLine('key', { at: clock.now(), ...ended })], clock.now());
		};
		list({ nova: 'active', atlas: 'active' });
		await pass(200);
		write('nova');
		await pass(3_000);
		detach();
		write('atlas');
		await pass(3_600_000, 600_000);
		const next = createHookedFleet({ clock, directory, children, hooks });
		await next.pass(3_000);
		expect(started.map(({ record: { computer, to } }) => [computer, to])).toEqual([
			[{ id: 'nova', name: 'nova', address: null }, 'done'],
			[{ id: 'atlas', name: 'atlas', address: null }, 'done'],
		]);
	});

	test('run for no line of the log that is older than they are, and go on where another one was added', async () => {
		const failing = hookOn(['computerFailed'], { cooldownMs: 0 });
		const first = createHookedFleet({ hooks: [failing] });
		const { clock, directory, children, reported } = first;
		const open = (hooks: readonly Hook[]) =>
			createHookedFleet({ clock, directory, children, hooks });
		first.list({ nova: 'active', atlas: 'active' });
		await first.pass(200);
		first.list({ nova: 'error', atlas: 'active' });
		await first.pass(1_000);
		first.detach();
		const added = hookOn(['stateChanged'], { cooldownMs: 0 });
		const second = open([failing, added]);
		await second.pass(3_000);
		expect(reported()).toEqual(['computerFailed nova active→error']);
		second.list({ nova: 'error', atlas: 'error' });
		await second.pass(1_000);
		second.detach();
		await open([failing, added]).pass(3_000);
		expect(reported().slice(1)).toEqual([
			'computerFailed atlas active→error',
			'stateChanged atlas active→error',
		]);
	});

	test('run once when the credits fall low, and once when the account goes down', async () => {
		const hooks = [hookOn(['creditsLow', 'accountDown'])];
		const { list, fold, pass, reported, started } = createHookedFleet({ hooks });
		list({ nova: 'active' });
		for (const balance of [100, 99.5, 99, 90, 80, 70]) {
			fold({ type: 'answered', read: 'credits', answer: { balance } });
			await pass(1_800_000, 300_000);
		}
		expect(reported()).toEqual(['creditsLow enough→low']);
		list({ nova: 'active' });
		for (let seconds = 0; seconds < 30; seconds += 5) {
			const failure = createFailure('offline', 'connection refused');
			fold({ type: 'readFailed', read: 'list', failure });
			await pass(5_000);
		}
		expect(reported()).toEqual(['creditsLow enough→low', 'accountDown up→down']);
		expect(started[1]?.record['reason']).toBe('connection refused');
	});

	test('are not run again by the next process while the credits stay low, and the log does not say so again', async () => {
		const hooks = [hookOn(['creditsLow'])];
		const first = createHookedFleet({ hooks });
		const { clock, directory, children, reported } = first;
		for (let start = 0; start < 2; start += 1) {
			const fleet = start === 0 ? first : createHookedFleet({ hooks, clock, directory, children });
			fleet.list({ nova: 'active' });
			for (const balance of start === 0 ? [100, 90, 80, 70] : [60, 50]) {
				fleet.fold({ type: 'answered', read: 'credits', answer: { balance } });
				await fleet.pass(1_800_000, 300_000);
			}
			const { changes } = fleet.store.getState().accounts.get('key') ?? emptyAccount;
			expect(changes.map(({ type }) => type)).toEqual(['accountNoted']);
			fleet.journal.close();
			fleet.detach();
		}
		expect(reported()).toEqual(['creditsLow enough→low']);
	});

	test('are not run when a person signs out, and are run when the account goes down after the next sign-in', async () => {
		const { list, fold, pass, reported } = createHookedFleet({ hooks: [hookOn(['accountDown'])] });
		const failReads = async () => {
			for (let seconds = 0; seconds < 30; seconds += 5) {
				fold({ type: 'readFailed', read: 'list', failure: createFailure('auth', 'no password') });
				await pass(5_000);
			}
		};
		list({ nova: 'active' });
		await pass(1_000);
		const signedOut = createFailure('auth', 'you signed out', { isDeliberate: true });
		fold({ type: 'signInTried', failure: signedOut });
		fold({ type: 'signInTried', failure: createFailure('auth', 'no password') });
		await failReads();
		expect(reported()).toEqual([]);
		fold({ type: 'signInTried', email: 'a@example.com' });
		list({ nova: 'active' });
		await pass(60_000);
		await failReads();
		expect(reported()).toEqual(['accountDown up→down']);
	});

	test('are not run for a single lost answer after a long silence', async () => {
		const { list, fold, pass, reported } = createHookedFleet({ hooks: [hookOn(['accountDown'])] });
		list({ nova: 'active' });
		await pass(7_200_000, 3_600_000);
		fold({ type: 'readFailed', read: 'list', failure: createFailure('offline', 'no route') });
		await pass(2_000);
		list({ nova: 'active' });
		await pass(2_000);
		expect(reported()).toEqual([]);
	});
});

describe('a storm of failures', () => {
	const statuses = (word: string, count = 10_000) =>
		Object.fromEntries(Array.from({ length: count }, (_, at) => [`c${at}`, word]));

	test('starts at most as many hooks at once as allowed, and drops none within a minute', async () => {
		const clock = createHeldClock();
		const children = createFakeChildren(clock, 10);
		const hooks = [hookOn(['computerFailed'], { maxRunning: 8 })];
		const { list, pass, reported, problems } = createHookedFleet({ clock, children, hooks });
		list(statuses('active', 2_000));
		list(statuses('error', 2_000));
		await pass(5_000, 10);
		expect(children.state.mostRunning).toBe(8);
		expect(new Set(reported()).size).toBe(2_000);
		expect(reported()).toHaveLength(2_000);
		expect(problems).toEqual([]);
	});
});

describe('what goes wrong with a hook', () => {
	test('is reported once for each kind of failure, and again after a run that worked', async () => {
		const { list, pass, problems, children, store } = createHookedFleet();
		const failNext = async (id: string) => {
			list({ [id]: 'active' });
			list({ [id]: 'error' });
			await pass(500);
		};
		list({});
		Object.assign(children.state, { exitCode: 7, stderr: 'curl: (6)\nCould not resolve host\n' });
		await failNext('a');
		await failNext('b');
		expect(problems).toEqual([
			'The hook computerFailed → hook ended with code 7: Could not resolve host',
		]);
		expect(store.getState().accounts.get('key')?.changes.filter(isOfHook).map(eventText)).toEqual([
			'hook computerFailed → hook ended with code 7: Could not resolve host',
		]);
		Object.assign(children.state, { exitCode: 0 });
		await failNext('c');
		Object.assign(children.state, { exitCode: 7 });
		await failNext('d');
		expect(problems).toHaveLength(2);
	});

	test('is reported once if the file fails, and the hooks still run', async () => {
		const directory = temporaryFolder();
		mkdirSync(join(directory, `hooks-${shortHash('key')}.json`));
		const { list, pass, problems, reported } = createHookedFleet({ directory });
		list({ nova: 'active', atlas: 'active' });
		await pass(100);
		for (const id of ['nova', 'atlas']) {
			list({ nova: 'active', atlas: 'active', [id]: 'error' });
			await pass(500);
		}
		expect(problems).toHaveLength(1);
		expect(problems[0]).toContain('Hooks cannot use their file: ');
		expect(reported()).toHaveLength(2);
	});
});

describe('the process of a hook', () => {
	const named = { id: 'sb_1', name: '$(touch x); "nova" `id`', address: '198.18.0.7' };

	/** Lets a computer fail, for which a real process is started. */
	async function run(command: readonly string[], environment: NodeJS.ProcessEnv = {}) {
		const fleet = createHookedFleet({
			hooks: [hookOn(['computerFailed'], { command })],
			environment: { PATH: process.env['PATH'], ...environment },
			effects: { spawn, kill: process.kill.bind(process) },
		});
		fleet.fold({ type: 'listRead', computers: [{ ...named, status: 'active' }] });
		await fleet.pass(100);
		const failed = { ...named, status: 'error', error: 'disk is full' };
		fleet.fold({ type: 'listRead', computers: [failed] });
		await fleet.pass(100);
		return fleet;
	}
	const script = (text: string, path = '') => ['sh', '-c', text, 'hook', path];

	test('gets the event as JSON and in its environment, and no secret', async () => {
		const path = join(temporaryFolder(), 'written');
		const { running, problems } = await run(script('cat > "$1"; env >> "$1"', path), {
			CROWSNEST_PASSWORD: 'correct horse',
			CROWSNEST_TOKEN: 'ey.token.value',
			COPY: 'ey.token.value',
			HOME: '/home/user',
		});
		await running.close();
		expect(problems).toEqual([]);
		const [json = '', ...environment] = readFileSync(path, 'utf8').split('\n');
		expect(JSON.parse(json)).toEqual({
			kind: 'computerFailed',
			account: 'work',
			operation: null,
			merged: 0,
			computer: named,
			from: 'active',
			to: 'error',
			reason: 'disk is full',
			time: expect.stringMatching(/^2026-11-21T08:00:00/),
		});
		expect(environment).toEqual(
			expect.arrayContaining([
				'CROWSNEST_EVENT=computerFailed',
				'CROWSNEST_COMPUTER_ID=sb_1',
				'CROWSNEST_REASON=disk is full',
				'HOME=/home/user',
			]),
		);
		expect(environment.join('\n')).not.toMatch(/correct horse|token\.value/);
	});

	test('is ended with everything that it started if it takes too long', async () => {
		const path = join(temporaryFolder(), 'pids');
		const command = script('sleep 600 & echo $! > "$1"; echo stuck >&2; wait', path);
		const { clock, problems } = await run(command);
		await expect.poll(() => readPid(path)).toBeGreaterThan(0);
		clock.move(10_000);
		await expect.poll(() => isProcessRunning(readPid(path))).toBe(false);
		// Two seconds later, the rest of the group is killed.
		clock.move(3_000);
		await expect.poll(() => problems).toEqual([expect.stringContaining('took longer than 10')]);
	});

	test('is missed or fails for a reason that is said, with its last line', async () => {
		const missing = await run(['/nowhere/program']);
		await missing.running.close();
		expect(missing.problems).toEqual([
			'The hook computerFailed → /nowhere/program did not start: no such file or directory',
		]);
		const failed = await run(script('echo one >&2; echo two >&2; exit 3'));
		await failed.running.close();
		expect(failed.problems).toEqual(['The hook computerFailed → sh ended with code 3: two']);
	});
});

function readPid(path: string): number {
	try {
		return Number(readFileSync(path, 'utf8'));
	} catch {
		return 0;
	}
}
