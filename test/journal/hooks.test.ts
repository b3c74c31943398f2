import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Hook } from '../../source/accounts/hook-settings.ts';
import type { OperationMove } from '../../source/fleet/change.ts';
import type { FailureKind } from '../../source/foundation/failure.ts';
import { shortHash } from '../../source/foundation/short-hash.ts';
import { writeFleet } from '../../source/journal/fleet-file.ts';
import { appendLines, logLine } from '../../source/journal/log-files.ts';
import { createFailure } from '../../source/platform/decoding/platform-error.ts';
import { operationChanged } from '../arbitraries/sample-facts.ts';
import { createHeldClock } from '../held-clock.ts';
import { isProcessRunning } from '../processes/running.ts';
import { runs } from '../runs.ts';
import { createFakeChildren, createHookedFleet, hookOn } from './hooked-fleet.ts';
import { temporaryFolder } from './state-directory.ts';

type Fleet = ReturnType<typeof createHookedFleet>;

/** Begins the next process of the same folder. */
const nextAfter = ({ clock, directory, children }: Fleet, hooks: readonly Hook[]) =>
	createHookedFleet({ clock, directory, children, hooks });

/** Writes a step of an operation to the log, as a command does. */
function write({ directory, clock }: Fleet, wish: OperationMove['wish'], to: OperationMove['to']) {
	const at = clock.now();
	const move = { type: 'operationMoved', at, wish, to, took: 9, pane: 'another' } as const;
	appendLines(directory, [logLine('key', move)], at);
}

/** Lets the reads of the list fail for half a minute. */
async function failReads({ fold, pass }: Fleet, kind: FailureKind, message: string) {
	for (let seconds = 0; seconds < 30; seconds += 5) {
		fold({ type: 'readFailed', read: 'list', failure: createFailure(kind, message) });
		await pass(5_000);
	}
}

describe('a hook on computerFailed', () => {
	test('runs for a computer that goes into error or comes with it, and not for one that was in error at the first start', async () => {
		const { list, pass, reported, started } = createHookedFleet();
		list({ nova: 'active', atlas: 'error' });
		await pass(2_000);
		list({ nova: 'error', atlas: 'error', draco: 'error' });
		await pass(2_000);
		expect(reported()).toEqual([
			'computerFailed nova active→error',
			'computerFailed draco null→error',
		]);
		expect(started[0]).toMatchObject({
			record: {
				account: 'work',
				computer: { id: 'nova', name: 'nova', address: null },
				reason: null,
				merged: 0,
			},
			variables: {
				CROWSNEST_EVENT: 'computerFailed',
				CROWSNEST_COMPUTER_ID: 'nova',
				CROWSNEST_TO: 'error',
			},
		});
	});

	const hooks = [hookOn(['computerFailed'], { cooldownMs: 0 })];
	const failed = async () => {
		const fleet = createHookedFleet({ hooks });
		fleet.listWithoutReasons({ nova: 'active' });
		await fleet.pass(100);
		fleet.listWithoutReasons({ nova: 'error' });
		const reasons = () => fleet.started.map(({ record }) => record['reason']);
		const statusRead = (error?: string) =>
			fleet.fold({
				type: 'computerRead',
				read: 'status',
				computer: { id: 'nova', status: 'error', error },
			});
		return { ...fleet, reasons, statusRead };
	};

	test.each<[string, number, string | undefined]>([
		['waits for the reason, and runs once with it as soon as it is read', 4_000, 'disk full'],
		['runs at once when the platform gives no reason', 4_000, undefined],
		['runs without a reason when it was not read for ten seconds', 10_500, 'disk full'],
	])('%s', async (_, readAfterMs, reason) => {
		const { pass, reasons, statusRead, listWithoutReasons } = await failed();
		await pass(Math.min(readAfterMs, 9_900));
		expect(reasons()).toEqual([]);
		const isLate = readAfterMs > 10_000;
		await pass(isLate ? 600 : 0);
		statusRead(reason);
		await pass(500);
		listWithoutReasons({ nova: 'error' });
		await pass(30_000);
		expect(reasons()).toEqual([isLate ? null : (reason ?? null)]);
	});

	test('runs at once when the computer recovers before its reason was read', async () => {
		const { pass, reported, listWithoutReasons } = await failed();
		listWithoutReasons({ nova: 'active' });
		await pass(500);
		expect(reported()).toEqual(['computerFailed nova active→error']);
		await pass(30_000);
		expect(reported()).toHaveLength(1);
	});

	test('runs in the next process if this one is killed while it waits for the reason', async () => {
		const first = await failed();
		first.kill();
		await first.pass(30_000);
		expect(first.reasons()).toEqual([]);
		const next = nextAfter(first, hooks);
		await next.pass(1_000);
		next.listWithoutReasons({ nova: 'error' });
		await next.pass(30_000);
		expect(first.reasons()).toEqual([null]);
	});

	test('runs once at the next start for a computer that failed in the meantime', async () => {
		const first = createHookedFleet();
		first.list({ nova: 'active', atlas: 'active' });
		first.list({ nova: 'error', atlas: 'active' });
		await first.pass(200);
		first.kill();
		for (let start = 0; start < 3; start += 1) {
			await first.pass(300_000, 60_000);
			// The snapshot is older than what the hooks were informed about.
			const seenAt = first.clock.now() - 400_000;
			const computers = ['nova', 'atlas'].map(id => ({
				reading: { id, status: 'active' },
				seenAt,
			}));
			const fact = { account: 'key', at: seenAt, type: 'recalled', computers } as const;
			writeFleet(first.directory, 'key', [fact]);
			const next = nextAfter(first, [hookOn(['computerFailed'])]);
			await next.pass(100);
			next.list({ nova: 'error', atlas: 'error' });
			await next.pass(1_000);
			next.kill();
		}
		expect(first.reported()).toEqual([
			'computerFailed nova active→error',
			'computerFailed atlas active→error',
		]);
	});

	test('runs once while two processes record, because one was stopped and does not know of the other', async () => {
		const first = createHookedFleet();
		const fleets = [first, nextAfter(first, [hookOn(['computerFailed'])])];
		for (const status of ['active', 'error']) {
			for (const { list } of fleets) list({ nova: status, atlas: status });
			await first.pass(3_000);
		}
		expect(first.reported()).toEqual([
			'computerFailed nova active→error',
			'computerFailed atlas active→error',
		]);
	});

	test('runs once although a slow process says late that it has handled an earlier line', async () => {
		const first = createHookedFleet();
		first.list({ nova: 'active' });
		first.list({ nova: 'error' });
		await first.pass(3_000);
		first.kill();
		const earlier = `hooks-${shortHash('key')} 2026-01-001.jsonl 000000001`;
		writeFileSync(join(first.directory, earlier), '');
		await nextAfter(first, [hookOn(['computerFailed'])]).pass(3_000);
		expect(first.reported()).toEqual(['computerFailed nova active→error']);
	});

	test('waits for the cooldown of the computer, and then reports its last failure once', async () => {
		const { list, pass, started, clock } = createHookedFleet();
		const begin = clock.now();
		list({ nova: 'active' });
		for (let count = 0; count < 5; count += 1) {
			list({ nova: 'error' });
			await pass(5_000);
			list({ nova: 'active' });
			await pass(5_000);
		}
		await pass(60_000);
		expect(started.map(({ at }) => at - begin)).toEqual([0, 61_000]);
		expect(started[1]?.record['merged']).toBe(3);
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
				const begin = (place: number) =>
					createHookedFleet({ clock, directory, children, hooks, isRecorder: recorder === place });
				let fleets = [begin(0), begin(1)];
				const world: Record<string, string> = {
					0: 'active',
					1: 'error',
					2: 'active',
					3: 'stopped',
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
						for (const { kill } of fleets) kill();
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
				// The first list after a takeover or a start may have been requested before it.
				await readAll();
				await readAll();
				const reported = children.started.map(({ record }) => Object(record['computer']).id);
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
		for (const status of ['running', 'stopping', 'active', 'paused']) {
			list({ nova: status });
			await pass(500);
		}
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

	test('run once when an operation ends, with its outcome and the reason of a failure', async () => {
		const fleet = createHookedFleet({ hooks: [hookOn(['operationEnded'], { cooldownMs: 0 })] });
		const { list, fold, pass, started } = fleet;
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
		write(fleet, restart, 'unknown');
		write(fleet, restart, 'settled');
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
		const first = createHookedFleet({ hooks });
		const stopOf = (computer: string) => ({ key: `of ${computer}`, operation: 'stop', computer });
		first.list({ nova: 'active', atlas: 'active' });
		await first.pass(200);
		write(first, stopOf('nova'), 'settled');
		await first.pass(3_000);
		first.kill();
		write(first, stopOf('atlas'), 'settled');
		await first.pass(3_600_000, 600_000);
		await nextAfter(first, hooks).pass(3_000);
		expect(first.started.map(({ record: { computer, to } }) => [computer, to])).toEqual([
			[{ id: 'nova', name: 'nova', address: null }, 'done'],
			[{ id: 'atlas', name: 'atlas', address: null }, 'done'],
		]);
	});

	test('run for no line of the log that is older than they are, and go on where another one was added', async () => {
		const failing = hookOn(['computerFailed'], { cooldownMs: 0 });
		const first = createHookedFleet({ hooks: [failing] });
		first.list({ nova: 'active', atlas: 'active' });
		await first.pass(200);
		first.list({ nova: 'error', atlas: 'active' });
		await first.pass(1_000);
		first.kill();
		const both = [failing, hookOn(['stateChanged'], { cooldownMs: 0 })];
		const second = nextAfter(first, both);
		await second.pass(3_000);
		expect(first.reported()).toEqual(['computerFailed nova active→error']);
		second.list({ nova: 'error', atlas: 'error' });
		await second.pass(1_000);
		second.kill();
		await nextAfter(first, both).pass(3_000);
		expect(first.reported().slice(1)).toEqual([
			'computerFailed atlas active→error',
			'stateChanged atlas active→error',
		]);
	});

	test('run once when the credits fall low, and once when the account goes down, also after a start', async () => {
		const hooks = [hookOn(['creditsLow', 'accountDown'])];
		const first = createHookedFleet({ hooks });
		const spend = async (fleet: Fleet, ...balances: readonly number[]) => {
			fleet.list({ nova: 'active' });
			for (const balance of balances) {
				fleet.fold({ type: 'answered', read: 'credits', answer: { balance } });
				await fleet.pass(1_800_000, 300_000);
			}
		};
		await spend(first, 100, 99.5, 99, 90, 80, 70);
		first.journal.close();
		first.kill();
		const next = nextAfter(first, hooks);
		const { reported, started, list, state } = next;
		await spend(nextAfter(first, hooks), 60, 50);
		expect(state().changes.map(({ type }) => type)).toEqual(['accountNoted']);
		expect(reported()).toEqual(['creditsLow enough→low']);
		list({ nova: 'active' });
		await failReads(next, 'offline', 'connection refused');
		expect(reported()).toEqual(['creditsLow enough→low', 'accountDown up→down']);
		expect(started[1]?.record['reason']).toBe('connection refused');
	});

	test('are not run when a person signs out, and are run when the account goes down after the next sign-in', async () => {
		const fleet = createHookedFleet({ hooks: [hookOn(['accountDown'])] });
		const { list, fold, pass, reported } = fleet;
		list({ nova: 'active' });
		await pass(1_000);
		const signedOut = createFailure('auth', 'you signed out', { isDeliberate: true });
		fold({ type: 'signInTried', failure: signedOut });
		fold({ type: 'signInTried', failure: createFailure('auth', 'no password') });
		await failReads(fleet, 'auth', 'no password');
		expect(reported()).toEqual([]);
		fold({ type: 'signInTried', email: 'a@example.com' });
		list({ nova: 'active' });
		await pass(60_000);
		await failReads(fleet, 'auth', 'no password');
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

test('a storm of failures starts at most as many hooks at once as allowed, and drops none', async () => {
	const clock = createHeldClock();
	const children = createFakeChildren(clock, 10);
	const hooks = [hookOn(['computerFailed'], { maxRunning: 8 })];
	const { list, pass, reported, troubles } = createHookedFleet({ clock, children, hooks });
	const all = (word: string) =>
		Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`c${at}`, word]));
	list(all('active'));
	list(all('error'));
	await pass(5_000, 10);
	expect(children.state.mostRunning).toBe(8);
	expect(new Set(reported()).size).toBe(2_000);
	expect(reported()).toHaveLength(2_000);
	expect(troubles).toEqual([]);
});

test('what goes wrong with a hook is reported once, with its last line, and again after a run that worked', async () => {
	const { list, pass, troubles, children, state } = createHookedFleet();
	const failNext = async (id: string, exitCode: number) => {
		Object.assign(children.state, { exitCode, stderr: 'curl: (6)\nCould not resolve host\n' });
		list({ [id]: 'active' });
		list({ [id]: 'error' });
		await pass(500);
	};
	list({});
	for (const [place, code] of [7, 7, 8, 7].entries()) await failNext(`c${place}`, code);
	const messages = [7, 8].map(code => `ended with code ${code}: Could not resolve host`);
	expect(troubles).toEqual(messages.map(message => `The hook computerFailed → hook ${message}`));
	const logged = state().changes.flatMap(each => (each.type === 'hookFailed' ? each.message : []));
	expect(logged).toEqual(messages);
	await failNext('e', 0);
	await failNext('f', 7);
	expect(troubles).toHaveLength(3);
});

test('a file of the hooks that cannot be used is reported once, and the hooks still run', async () => {
	const directory = temporaryFolder();
	mkdirSync(join(directory, `hooks-${shortHash('key')}.json`));
	const { list, pass, troubles, reported } = createHookedFleet({ directory });
	list({ nova: 'active', atlas: 'active' });
	await pass(100);
	for (const id of ['nova', 'atlas']) {
		list({ nova: 'active', atlas: 'active', [id]: 'error' });
		await pass(500);
	}
	expect(troubles).toEqual([expect.stringContaining('Hooks cannot use their file: ')]);
	expect(reported()).toHaveLength(2);
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
		const { running, troubles } = await run(script('cat > "$1"; env >> "$1"', path), {
			CROWSNEST_PASSWORD: 'correct horse',
			CROWSNEST_TOKEN: 'ey.token.value',
			COPY: 'ey.token.value',
			HOME: '/home/user',
		});
		await running.close();
		expect(troubles).toEqual([]);
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
		const variables = [
			...['CROWSNEST_EVENT=computerFailed', 'CROWSNEST_COMPUTER_ID=sb_1'],
			...['CROWSNEST_REASON=disk is full', 'HOME=/home/user'],
		];
		expect(environment).toEqual(expect.arrayContaining(variables));
		expect(environment.join('\n')).not.toMatch(/correct horse|token\.value/);
	});

	test('is ended with everything that it started if it takes too long', async () => {
		const path = join(temporaryFolder(), 'pids');
		const command = script('sleep 600 & echo $! > "$1"; echo stuck >&2; wait', path);
		const { clock, troubles } = await run(command);
		const readPid = () => {
			try {
				return Number(readFileSync(path, 'utf8'));
			} catch {
				return 0;
			}
		};
		await expect.poll(readPid).toBeGreaterThan(0);
		clock.move(10_000);
		await expect.poll(() => isProcessRunning(readPid())).toBe(false);
		// Two seconds later, the rest of the group is killed.
		clock.move(3_000);
		await expect.poll(() => troubles).toEqual([expect.stringContaining('took longer than 10')]);
	});

	test('is missed for a reason that is said', async () => {
		const { running, troubles } = await run(['/nowhere/program']);
		await running.close();
		expect(troubles).toEqual([
			'The hook computerFailed → /nowhere/program did not start: no such file or directory',
		]);
	});
});
