import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Change, mergeChanges } from '../../source/fleet/change.ts';
import { changeIn, readLines } from '../../source/journal/log-files.ts';
import { createSimulator } from '../../source/simulator/simulator.ts';
import { createFastClock } from './fast-clock.ts';
import { type PaneProcess, preparePanes } from './pane-processes.ts';

// With `TEST_KILLS`, that many of more panes of a larger fleet are killed.
const { TEST_KILLS: wantedKills, TEST_SEED: wantedSeed } = process.env;
const isLong = wantedKills !== undefined;
const kills = Number(wantedKills ?? 2);
const [paneCount, computers] = isLong ? [4, 60 + 2 * kills] : [3, 12];
const seed = Number(wantedSeed ?? Math.floor(Math.random() * 0x7fff_ffff));

/** Returns numbers from 0 to below 1 that follow from the seed. */
function createRandom(from: number) {
	let state = from >>> 0;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 0x1_0000_0000;
	};
}

// On a busy machine, many panes wait for the processor most of the time, so the limit is long.
const timeout = isLong ? 180_000 : 60_000;

/** Waits for the condition. If it does not come true, the error says in which state each pane is. */
const until = (what: string, panes: readonly PaneProcess[], condition: () => boolean) =>
	vi.waitUntil(condition, { timeout, interval: 5 }).catch(() => {
		const states = panes.map(({ child, ...state }) =>
			JSON.stringify({ ...state, polledAt: state.polledAt.length }),
		);
		throw new Error(`${what}: not within ${timeout / 1_000} s\n${states.join('\n')}`);
	});

/** Returns all lines of the journal, what they say of statuses, and the steps of all operations. */
function journalOf({ folder, account }: { folder: string; account: string }) {
	const lines = readLines(join(folder, 'log')).flatMap(line => changeIn(line, account) ?? []);
	const steps = lines.flatMap(each =>
		each.type === 'operationMoved' ? [{ id: each.wish.computer ?? '', to: each.to }] : [],
	);
	const statuses = lines.flatMap(each => (each.type === 'statusChanged' ? each : []));
	const changes = mergeChanges([], statuses).flatMap(each =>
		each.type === 'statusChanged' ? each : [],
	);
	return { statuses, changes, steps };
}

/** Returns what the hooks were told, as `computerFailed sb_1`. */
function hookRunsOf(folder: string): readonly string[] {
	const path = join(folder, 'hooks');
	const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
	return lines.map(line => {
		const { kind, computer } = JSON.parse(line);
		return `${kind} ${computer.id}`;
	});
}

/** Whether a file has the computers of the account. */
function isFleetKept(folder: string) {
	const log = join(folder, 'log');
	const names = existsSync(log) ? readdirSync(log) : [];
	return names.some(
		name => /^fleet-.*\.json$/.test(name) && readFileSync(join(log, name), 'utf8').includes('"sb_'),
	);
}

type StatusChange = Extract<Change, { type: 'statusChanged' }>;

/** Returns the changes that do not begin with the status that the previous change led to. */
function gapsIn(changes: readonly StatusChange[]) {
	const statuses = new Map<string, string | null>();
	return changes.filter(({ id, from, to }) => {
		const before = statuses.has(id) ? statuses.get(id) : from;
		statuses.set(id, to);
		return from !== before;
	});
}

/** A computer of the simulator ends its creation, falls asleep and wakes up by itself. */
const wordsBetween = new Set(['provisioning', 'stopping', 'stopped', 'starting']);

test(`while panes are killed, stopped and closed at random, one of them polls, each change and each step of an operation is journalled, no request is sent twice and no hook runs twice (seed ${seed})`, async () => {
	const random = createRandom(seed);
	const choose = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T;
	const simulator = await createSimulator({ clock: createFastClock(), computers });
	onTestFinished(simulator.close);
	const { world } = simulator;
	const prepared = preparePanes(simulator);
	const { folder, leaderPath, start } = prepared;
	// A computer that starts after this may be known to the panes as starting.
	const begunAt = world.now();
	let panes: PaneProcess[] = Array.from({ length: paneCount }, () => start());
	await until('each pane has a list', panes, () => panes.every(({ lists }) => lists > 0));
	// If all panes are killed before the fleet is kept, the next ones cannot know what has changed.
	await until('the fleet is kept', panes, () => isFleetKept(folder));

	const expected: string[] = [];
	const asked: string[] = [];
	const stops = new Map<object, string>();
	let newcomers = 0;
	let killed = 0;

	/** Those that have run since the beginning. */
	const untouchedComputers = () =>
		world
			.computers()
			.filter(({ state, stateSince }) => state === 'active' && stateSince < begunAt)
			.filter(({ id }) => !asked.includes(id) && !expected.some(text => text.startsWith(id)));

	/** Asks a pane to stop a computer, which it does if it lives long enough. */
	function operate() {
		const untouched = untouchedComputers();
		if (untouched.length <= 4) return;
		const { id } = choose(untouched);
		asked.push(id);
		choose(panes.filter(({ isStopped }) => !isStopped)).child.stdin?.write(`${id}\n`);
	}

	/** The simulator forgets old requests. */
	function noteStops() {
		for (const request of simulator.requests) {
			const [, id] = /([^/]+)\/stop$/.exec(request.path) ?? [];
			if (id !== undefined) stops.set(request, id);
		}
	}

	/** Fails a computer, or adds one. Each changes once. */
	function changeWorld() {
		const untouched = untouchedComputers();
		const target = choose(untouched);
		if (target && untouched.length > 3) {
			world.fail(target.id);
			expected.push(`${target.id} active error`);
		} else {
			newcomers += 1;
			const { id } = world.add({ name: `newcomer-${newcomers}` });
			expected.push(`${id} null active`);
		}
	}

	/** Returns whether a pane has learned of this number of further lists. */
	function createListTest(count: number) {
		const before = new Map(panes.map(pane => [pane, pane.lists]));
		return () => panes.some(pane => pane.lists >= (before.get(pane) ?? 0) + count);
	}

	async function end(pane: PaneProcess, signal: 'SIGKILL' | 'SIGTERM') {
		resume(pane);
		if (signal === 'SIGKILL') killed += 1;
		pane.child.kill(signal);
		await until('a pane ends', [pane], () => pane.role === 'ended');
		panes = panes.filter(other => other !== pane);
	}

	function resume(pane: PaneProcess) {
		if (pane.isStopped) pane.child.kill('SIGCONT');
		pane.isStopped = false;
	}

	async function disturb() {
		const leader = panes.find(({ role }) => role === 'leading');
		const pane = leader && random() < 0.6 ? leader : choose(panes);
		const dice = random();
		const running = panes.filter(({ isStopped }) => !isStopped);
		if (dice < 0.7) {
			await end(pane, dice < 0.6 ? 'SIGKILL' : 'SIGTERM');
			panes.push(start());
		} else if (dice < 0.9 && !pane.isStopped && running.length > 1) {
			pane.isStopped = true;
			pane.child.kill('SIGSTOP');
			// A leader that is stopped is replaced within a few lists.
			const isOver = createListTest(1 + Math.floor(random() * 6));
			void until('lists arrive', [], () => isOver() || !pane.isStopped)
				.catch(() => {})
				.then(() => resume(pane));
		} else rmSync(leaderPath() ?? '', { force: true });
	}

	let rounds = 0;
	for (; killed < kills; rounds += 1) {
		changeWorld();
		operate();
		if (random() < 0.5) await until('a pane has a list', panes, createListTest(1));
		await disturb();
		if (random() < 0.5) changeWorld();
		if (random() < 0.5) await until('a pane has a list', panes, createListTest(1));
		noteStops();
	}
	for (const pane of panes) resume(pane);
	const listsBefore = new Map(panes.map(pane => [pane, pane.lists]));
	await until('each pane has two more lists', panes, () =>
		panes.every(pane => pane.lists > (listsBefore.get(pane) ?? 0) + 1),
	);
	await until('one pane polls', panes, () => {
		const polls = panes.flatMap(pane => pane.polledAt.map(at => ({ pane, at })));
		const latest = polls.sort((a, b) => a.at - b.at).slice(-3);
		return latest.length === 3 && new Set(latest.map(({ pane }) => pane)).size === 1;
	});
	const ids = new Set(expected.map(text => text.split(' ')[0]));
	const ours = () =>
		journalOf(prepared).changes.filter(
			({ id, from, to }) =>
				ids.has(id) && !wordsBetween.has(from ?? '') && !wordsBetween.has(to ?? ''),
		);
	// The comparisons below say what is missing.
	await until('changes', panes, () => ours().length >= expected.length).catch(() => {});
	noteStops();
	const sentIds = [...stops.values()];
	const isEnded = (id: string) =>
		journalOf(prepared).steps.some(step => step.id === id && step.to !== 'sent');
	await until('the operations end', panes, () => sentIds.every(isEnded)).catch(() => {});
	await Promise.all(panes.map(pane => end(pane, 'SIGTERM')));

	const { statuses, changes, steps } = journalOf(prepared);
	const texts = ours().map(({ id, from, to }) => `${id} ${from} ${to}`);
	expect(texts.toSorted()).toEqual(expected.toSorted());
	// Where an operation ran, a change of status may be told by the process that sent it alone.
	const gaps = gapsIn(changes.filter(({ id }) => !asked.includes(id)));
	expect(gaps.flatMap(gap => statuses.filter(({ id }) => id === gap.id))).toEqual([]);
	expect(simulator.requests.filter(({ status }) => status === 429)).toEqual([]);
	expect(new Set(sentIds).size).toBe(sentIds.length);
	const stepsOf = (id: string) => steps.filter(step => step.id === id);
	const lost = sentIds.filter(id => stepsOf(id).length < 2 || stepsOf(id)[0]?.to !== 'sent');
	expect(lost.map(id => [id, stepsOf(id)])).toEqual([]);
	const runs = hookRunsOf(folder);
	expect(runs.filter((run, place) => runs.indexOf(run) !== place)).toEqual([]);
	const failed = expected.filter(text => text.endsWith(' error')).map(text => text.split(' ')[0]);
	const events = [
		...failed.map(id => `computerFailed ${id}`),
		...sentIds.map(id => `operationEnded ${id}`),
	];
	expect(events.filter(event => !runs.includes(event)).length).toBeLessThanOrEqual(rounds);
}, 3_600_000);
