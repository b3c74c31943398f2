import { existsSync, readdirSync, readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Change, mergeChanges } from '../../source/fleet/change.ts';
import { changeIn, readLines } from '../../source/journal/log-files.ts';
import { createSimulator } from '../../source/simulator/simulator.ts';
import { createFastClock, speed } from './fast-clock.ts';
import { type PaneProcess, preparePanes } from './pane-processes.ts';

// With `TEST_KILLS`, that many of more panes of a larger fleet are killed. Many panes on a busy machine look silent on a
// fast clock, so it is slower then.
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
		const states = panes.map(
			({ child, role, isStopped, lists, newsAt, polledAt, failure }) =>
				`${child.pid} ${isStopped ? 'stopped while ' : ''}${role}: ${lists} lists, the last ${Date.now() - newsAt} ms ago, ${polledAt.length} requested ${failure}`,
		);
		throw new Error(`${what}: not within ${timeout / 1_000} s\n${states.join('\n')}`);
	});

/** Returns every change of a status in the journal, how many lines it has, and the steps of all operations. */
function journalOf(folder: string) {
	// A process that was killed may have left a torn line.
	const lines = readLines(join(folder, 'log')).flatMap(line => changeIn(line, 'test') ?? []);
	const changes = lines.filter(({ type }) => type === 'statusChanged');
	const steps = lines.flatMap(each =>
		each.type === 'operationMoved' ? [{ id: each.wish.computer ?? '', to: each.to }] : [],
	);
	return { lines: changes.length, changes: mergeChanges([], changes), steps };
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

const countsOf = (texts: readonly string[]) => {
	const counts = new Map<string, number>();
	for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
	return counts;
};

/** Whether a file has the computers of the account. */
function isFleetKept(folder: string) {
	const log = join(folder, 'log');
	if (!existsSync(log)) return false;
	const [name] = readdirSync(log).filter(each => /^fleet-.*\.json$/.test(each));
	return name !== undefined && readFileSync(join(log, name), 'utf8').includes('"sb_');
}

/** Returns the changes that do not begin with the status that the previous change led to. */
function gapsIn(changes: readonly Change[]) {
	const statuses = new Map<string, string | null>();
	return changes.filter(change => {
		if (change.type !== 'statusChanged') return false;
		const before = statuses.has(change.id) ? statuses.get(change.id) : change.from;
		statuses.set(change.id, change.to);
		return change.from !== before;
	});
}

/** A computer of the simulator ends its creation, falls asleep and wakes up by itself. */
const wordsBetween = new Set(['provisioning', 'stopping', 'stopped', 'starting']);

const textOf = (change: Change) =>
	change.type === 'statusChanged' ? `${change.id} ${change.from} ${change.to}` : change.type;

test(`while panes are killed, stopped and closed at random, one of them polls, each change and each step of an operation is journalled, no request is sent twice and no hook runs twice (seed ${seed})`, async () => {
	const random = createRandom(seed);
	const choose = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T;
	const simulator = await createSimulator({ clock: createFastClock(), computers });
	onTestFinished(simulator.close);
	const { folder, socket, start } = preparePanes(simulator);
	// A computer that starts after this may be known to the panes as starting.
	const begunAt = simulator.world.now();
	let panes: PaneProcess[] = Array.from({ length: paneCount }, () => start());
	await until('each pane has a list', panes, () => panes.every(({ lists }) => lists > 0));
	// If all panes are killed before the fleet is kept, the next ones cannot know what has changed.
	await until('the fleet is kept', panes, () => isFleetKept(folder));

	const expected: string[] = [];
	const asked: string[] = [];
	const stops = new Map<object, string>();
	let oldestNewsMs = 0;
	let newcomers = 0;
	let killed = 0;

	/** Those that have run since the beginning. */
	const untouchedComputers = () =>
		simulator.world
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
			simulator.world.fail(target.id);
			expected.push(`${target.id} active error`);
		} else {
			newcomers += 1;
			const { id } = simulator.world.add({ name: `newcomer-${newcomers}` });
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
		if (!pane.isStopped) return;
		pane.isStopped = false;
		pane.child.kill('SIGCONT');
		pane.newsAt = Date.now();
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
		} else if (existsSync(socket)) unlinkSync(socket);
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
		const ages = panes
			.filter(({ isStopped }) => !isStopped)
			.map(({ newsAt }) => Date.now() - newsAt);
		oldestNewsMs = Math.max(oldestNewsMs, ...ages);
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
	const isOurs = (change: Change) =>
		change.type === 'statusChanged' &&
		ids.has(change.id) &&
		![change.from, change.to].some(word => word !== null && wordsBetween.has(word));
	// The comparison below says which change is missing.
	const journalled = () => journalOf(folder).changes.filter(isOurs).length;
	await until('changes', panes, () => journalled() >= expected.length).catch(() => {});
	noteStops();
	const sentIds = [...stops.values()];
	const isEnded = (id: string) =>
		journalOf(folder).steps.some(step => step.id === id && step.to !== 'sent');
	await until('the operations end', panes, () => sentIds.every(isEnded)).catch(() => {});
	await Promise.all(panes.map(pane => end(pane, 'SIGTERM')));

	const journal = journalOf(folder);
	expect(journal.changes.filter(isOurs).map(textOf).toSorted()).toEqual(expected.toSorted());
	// Where an operation ran, a change of status may be told by the process that sent it alone.
	const unasked = journal.changes.filter(change => !('id' in change && asked.includes(change.id)));
	expect(gapsIn(unasked)).toEqual([]);
	expect(simulator.requests.filter(({ status }) => status === 429)).toEqual([]);
	expect(new Set(sentIds).size).toBe(sentIds.length);
	const stepsOf = (id: string) => journal.steps.filter(step => step.id === id);
	const lost = sentIds.filter(id => stepsOf(id).length < 2 || stepsOf(id)[0]?.to !== 'sent');
	expect(lost.map(id => [id, stepsOf(id)])).toEqual([]);
	const runs = countsOf(hookRunsOf(folder));
	const doubled = [...runs].filter(([, count]) => count > 1);
	expect(doubled.map(([text, count]) => [text, count, stepsOf(text.split(' ')[1] ?? '')])).toEqual(
		[],
	);
	const events = [
		...expected
			.filter(text => text.endsWith(' error'))
			.map(text => `computerFailed ${text.split(' ')[0]}`),
		...sentIds.map(id => `operationEnded ${id}`),
	];
	const missed = events.filter(event => !runs.has(event));
	expect(missed.length).toBeLessThanOrEqual(rounds);
	process.stdout.write(
		`${killed} kills among ${rounds} disturbances: ${expected.length} changes in ${journal.lines} lines (${journal.changes.length} different), ${sentIds.length} of ${asked.length} operations sent, ${runs.size} hooks run and ${missed.length} missed, oldest news ${((oldestNewsMs * speed) / 1_000).toFixed(1)} s\n`,
	);
}, 3_600_000);
