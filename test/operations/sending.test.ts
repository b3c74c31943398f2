import { describe, expect, onTestFinished, test } from 'vitest';
import type { FactBody } from '../../source/fleet/fact.ts';
import type { OperationId } from '../../source/fleet/operations/operation.ts';
import { operationRowOf } from '../../source/fleet/operations/operation-table.ts';
import { type OwnCommand, ownCommandId } from '../../source/fleet/operations/own-command.ts';
import type { CommandRunner } from '../../source/operations/command-runner.ts';
import { addOwnCommands } from '../../source/operations/own-commands.ts';
import { targetChangesIn } from '../../source/operations/question.ts';
import { createFailure, PlatformError } from '../../source/platform/decoding/platform-error.ts';
import { addOperation } from '../../source/platform/operation-requests.ts';
import { changesOfComputer } from '../../source/store/change-log.ts';
import { operationChanged } from '../arbitraries/sample-facts.ts';
import {
	answerTo,
	askAndConfirm,
	askAndConfirmOne,
	failureOnceFailed,
	openOperations,
	openWithAtlas,
} from './open-operations.ts';

describe('each operation, from its key press to its end', () => {
	test('updates to the version that the question named, even if a newer one appears', async () => {
		const setup = await openOperations();
		const { id } = setup.world.add({ name: 'atlas', version: '0.0.1' });
		await setup.watched();
		const latest = setup.known().release?.version;
		const reply = setup.operations.ask('update', [id]);
		expect(reply).toMatchObject({ question: { accounts: [{ version: latest }] } });
		setup.world.publishRelease('99.0.0');
		if (reply.type !== 'question') throw new Error('no question');
		const { question } = reply;
		const answered = setup.operations.answer({ ...question, answers: ['y'] });
		const key = answered.type === 'begun' ? (answered.operations[0]?.spec.key ?? '') : '';
		await setup.until(() => setup.stageOf(key) === 'accepted');
		await setup.until(() => setup.stageOf(key) === undefined);
		expect(setup.world.find(id)).toMatchObject({ state: 'active', version: latest });
		expect(setup.stepsOf(key)).toEqual(['sent', 'settled']);
	});

	test.each([
		['is updated after its start', 100, ['start 200', 'update 200'], undefined],
		['is not updated if its start fails', 0, ['start 402'], 'stopped, must be started first'],
	] as const)(
		'a stopped computer that is to be started first %s',
		async (_, credits, sent, why) => {
			const setup = await openOperations();
			const { id } = setup.world.add({ name: 'atlas', version: '0.0.1', state: 'stopped' });
			await setup.watched();
			setup.world.setCredits(credits);
			const { key } = askAndConfirmOne(setup, 'update', [id], { starting: 'chosen' });
			await setup.until(() => setup.stageOf(key) === undefined || setup.stageOf(key) === 'failed');
			expect(setup.sentChanges()).toEqual(sent.map(each => `POST /${id}/${each}`));
			expect(setup.operationOf(key)?.failure?.message).toBe(why);
		},
	);

	test('can publish and unpublish again where the platform does not list ports', async () => {
		const setup = await openOperations({ simulator: { shapes: { ports: 'none' } } });
		const { id } = setup.world.add({ name: 'atlas', ports: [9000] });
		await setup.watched();
		const { key } = askAndConfirmOne(setup, 'publish', [id]);
		await setup.until(() => setup.stepsOf(key).includes('settled'));
		const ports = () =>
			setup
				.known()
				.computers.get(id)
				?.reading.ports?.map(({ port }) => port);
		expect(ports()).toEqual([8080]);
		// The publication may have ended with its application, so the platform decides.
		const again = askAndConfirmOne(setup, 'publish', [id]);
		await setup.until(() => setup.stepsOf(again.key).includes('settled'));
		// Another client may have published a port, so the question asks which one.
		expect(setup.operations.ask('unpublish', [id])).toMatchObject({
			question: { steps: [{ kind: 'port' }, { kind: 'yes' }] },
		});
		setup.operations.closeQuestion();
		setup.world.operate('stop', setup.world.get(id), {});
		await setup.until(() => setup.known().computers.get(id)?.phase === 'stopped');
		expect(ports()).toBeUndefined();
	});
});

describe('an operation that the platform refuses', () => {
	test('settles a delete with 404, because the computer is gone', async () => {
		const { setup, id } = await openWithAtlas();
		const { key } = askAndConfirmOne(setup, 'delete', [id]);
		setup.world.remove(id);
		await setup.until(() => setup.stepsOf(key).length === 2);
		expect(setup.stepsOf(key)).toEqual(['sent', 'settled']);
		expect(setup.sentChanges()).toEqual([`DELETE /${id} 404`]);
	});

	test('continues after 409 when the computer is already making the requested change', async () => {
		const { setup, id } = await openWithAtlas();
		setup.world.sleep(id);
		const { key } = askAndConfirmOne(setup, 'stop', [id]);
		await setup.until(() => setup.stageOf(key) === 'accepted');
		await setup.until(() => setup.stageOf(key) === undefined);
		expect(setup.stepsOf(key)).toEqual(['sent', 'settled']);
		expect(setup.sentChanges()).toEqual([`POST /${id}/stop 409`]);
	});

	test('counts as done when it unpublishes a port and the platform answers 404', async () => {
		const { setup, id } = await openWithAtlas({ ports: [8080] });
		setup.world.operate('unpublish', setup.world.get(id), { port: 8080 });
		const { key } = askAndConfirmOne(setup, 'unpublish', [id]);
		await setup.until(() => setup.stepsOf(key).length === 2);
		expect(setup.stepsOf(key)).toEqual(['sent', 'settled']);
	});

	test.each([
		['hang', { isOutcomeUnknown: false }],
		['throttle', { kind: 'limited' }],
	] as const)(
		'fails without a request when the sign-in before it meets the fault “%s”',
		async (kind, failure) => {
			const setup = await openOperations({ simulator: { tokenLifetimeSeconds: 60 } });
			const { id } = setup.world.add({ name: 'atlas' });
			await setup.watched();
			setup.watch.stop();
			setup.simulator.setFaults([{ target: 'sign-in', kind }]);
			await setup.pass(60_000);
			const { key } = askAndConfirmOne(setup, 'restart', [id]);
			expect(await failureOnceFailed(setup, key)).toMatchObject(failure);
			expect(setup.sentChanges()).toEqual([]);
		},
	);

	test('is not done when the new sign-in after a 401 hangs, and does not delay the next create', async () => {
		const { setup } = await openWithAtlas();
		setup.watch.stop();
		setup.simulator.setFaults([
			{ target: 'create', kind: 'unauthorized', count: 1 },
			{ target: 'sign-in', kind: 'hang', count: 1 },
		]);
		const { key } = askAndConfirmOne(setup, 'create', []);
		expect(await failureOnceFailed(setup, key)).toMatchObject({
			kind: 'offline',
			isOutcomeUnknown: false,
		});
		expect(setup.stepsOf(key)).toEqual(['sent', 'failed']);
		const next = askAndConfirmOne(setup, 'create', []);
		await setup.until(() => setup.stageOf(next.key) === 'accepted');
	});
});

describe('an operation that the rate limit refuses', () => {
	test('fails after six refusals, and is known not to be done', async () => {
		const { setup, id } = await openWithAtlas();
		setup.simulator.setFaults([{ target: 'stop', kind: 'throttle' }]);
		const { key } = askAndConfirmOne(setup, 'stop', [id]);
		expect(await failureOnceFailed(setup, key)).toMatchObject({
			kind: 'limited',
			message: 'rate limited 6 times and not done',
			isOutcomeUnknown: false,
		});
		expect(setup.sentChanges()).toEqual(Array(6).fill(`POST /${id}/stop 429`));
		await setup.pass(120_000);
		expect(setup.sentChanges()).toHaveLength(6);
	});
});

describe('an operation that is not sent yet', () => {
	test('fails without a request when the computer no longer accepts it', async () => {
		const setup = await openOperations();
		const { id } = setup.world.add({ name: 'atlas' });
		await setup.watched();
		const { key } = askAndConfirmOne(setup, 'restart', [id]);
		setup.world.sleep(id);
		await setup.until(() => setup.known().computers.get(id)?.phase === 'stopping');
		expect(await failureOnceFailed(setup, key)).toMatchObject({ message: 'stopping now' });
		expect(setup.sentChanges()).toEqual([]);
	});

	test('blocks every other operation on its computer, and says whether it counts down', async () => {
		const setup = await openOperations();
		const { id } = setup.world.add({ name: 'atlas' });
		await setup.watched();
		const seeStopRefused = (reason: string) =>
			expect(setup.operations.ask('stop', [id])).toMatchObject({
				refusal: { reason: 'not-allowed', skipped: [{ id, name: 'atlas', reason }] },
			});
		const { key } = askAndConfirmOne(setup, 'restart', [id]);
		seeStopRefused('its restart counts down');
		setup.operations.lock();
		await setup.pass(5_000);
		expect(setup.stageOf(key)).toBe('queued');
		setup.operations.unlock();
		seeStopRefused('its restart is already queued');
		await setup.until(() => setup.known().computers.get(id)?.phase === 'restarting');
		seeStopRefused('restarting now');
	});

	test('replaces an overdue operation on the same computer', async () => {
		const { setup, id } = await openWithAtlas();
		setup.simulator.setFaults([
			{ target: 'restart', kind: 'lost', count: 1 },
			{ target: 'status', kind: '503' },
			{ target: 'list', kind: '503' },
			{ target: 'detail', kind: '503' },
		]);
		const { key } = askAndConfirmOne(setup, 'restart', [id]);
		await setup.until(() => setup.stageOf(key) === 'unknown');
		await setup.pass(120_000);
		const reply = setup.operations.ask('stop', [id]);
		const lines = reply.type === 'question' ? reply.question.lines : [];
		expect(lines).toContainEqual(expect.stringMatching(/^It is still restarting after 2 min/));
		askAndConfirmOne(setup, 'stop', [id]);
		expect(setup.stepsOf(key)).toEqual(['sent', 'unknown', 'unknown']);
		await setup.until(() => setup.sentChanges().length === 2);
	});
});

test('an operation whose token was refused is unsent again: it blocks its computer, and can be cancelled', async () => {
	const { setup, id } = await openWithAtlas();
	setup.watch.stop();
	await setup.pass(61_000);
	setup.simulator.setFaults([{ target: 'publish', kind: 'unauthorized', count: 1 }]);
	setup.world.countOtherClientRequests('other', 29);
	const { key } = askAndConfirmOne(setup, 'publish', [id], { port: 8080 });
	await setup.pass(32_000);
	expect(setup.stageOf(key)).toBe('queued');
	expect(setup.operations.ask('restart', [id])).toMatchObject({
		refusal: { skipped: [{ reason: 'its publish is already queued' }] },
	});
	expect(setup.operations.cancel({ key })).toHaveLength(1);
	await setup.pass(200_000);
	expect(setup.sentChanges()).toEqual([`POST /${id}/preview/start 401`]);
	expect(setup.stepsOf(key)).toEqual(['sent', 'cancelled']);
});

/** Adds an own command in whose place `run` runs. */
function addTool(run: () => Promise<void>) {
	const command: OwnCommand = {
		name: 'tool',
		label: 'tool',
		program: { type: 'words', words: ['tool', '{id}'] },
		phases: ['active'],
		on: 'one',
		changes: true,
		confirm: 'ask',
		output: 'none',
	};
	const runner = { run } as unknown as CommandRunner;
	onTestFinished(addOwnCommands([command], { runner }));
	return ownCommandId(command);
}

test('an own command that was ended with the program is unknown for good, and is not looked up', async () => {
	const { setup, id } = await openWithAtlas();
	const failure = createFailure('invalid', 'was ended', { isOutcomeUnknown: true });
	const tool = addTool(() => Promise.reject(new PlatformError(failure)));
	const { key } = askAndConfirmOne(setup, tool, [id]);
	await setup.until(() => setup.stageOf(key) !== 'queued');
	expect(setup.operationOf(key)).toMatchObject({ stage: 'failed', failure });
});

test('an own command runs only when all who follow the facts have been told that it is sent', async () => {
	const { setup, id } = await openWithAtlas();
	const steps: string[] = [];
	setup.store.onFact(fact => {
		if (fact.type === 'operationChanged') steps.push(fact.step);
	});
	const tool = addTool(async () => void steps.push('runs'));
	askAndConfirmOne(setup, tool, [id]);
	await setup.until(() => steps.includes('done'));
	expect(steps.slice(0, 3)).toEqual(['queued', 'sent', 'runs']);
});

test('a request that waits for its slot is asked for once, however long it waits', async () => {
	const { setup, id } = await openWithAtlas();
	let asked = 0;
	let free = () => {};
	const isFree = new Promise<void>(resolve => {
		free = resolve;
	});
	onTestFinished(
		addOperation('nap', operationRowOf('stop'), async (_, __, { onSent }) => {
			asked += 1;
			await isFree;
			onSent?.();
			return {};
		}),
	);
	const { key } = askAndConfirmOne(setup, 'nap', [id]);
	await setup.pass(5_000);
	expect(setup.stageOf(key)).toBe('queued');
	free();
	await setup.until(() => setup.stageOf(key) === 'accepted');
	expect(asked).toBe(1);
});

test('a refused sign-in fails what counts down in its account too, because it would send another one', async () => {
	const setup = await openOperations();
	const ids = ['atlas', 'borealis'].map(name => setup.world.add({ name }).id);
	await setup.watched();
	setup.simulator.expireTokens();
	setup.simulator.setFaults([{ target: 'sign-in', kind: 'unauthorized' }]);
	askAndConfirmOne(setup, 'stop', ids.slice(0, 1));
	const { key } = askAndConfirmOne(setup, 'restart', ids.slice(1));
	await setup.until(() => setup.stageOf(key) === 'failed');
	expect(setup.operationOf(key)?.failure?.kind).toBe('auth');
	expect(setup.sentChanges().filter(each => each.includes('restart'))).toEqual([]);
});

describe('when the response to an operation is lost', () => {
	test('a publish reads the details of the computer if the list does not show published ports', async () => {
		const setup = await openOperations({
			simulator: { shapes: { listRecord: 'minimal', status: 'minimal' } },
		});
		const { id } = setup.world.add({ name: 'atlas' });
		await setup.watched();
		setup.simulator.setFaults([{ target: 'publish', kind: 'reset' }]);
		const { key } = askAndConfirmOne(setup, 'publish', [id]);
		await setup.until(() => setup.stepsOf(key).length === 3);
		expect(setup.stepsOf(key)).toEqual(['sent', 'unknown', 'failed']);
	});

	test('a create is not sent while the response to another is outstanding', async () => {
		const { setup } = await openWithAtlas();
		setup.simulator.setFaults([{ target: 'create', kind: 'hang', count: 1 }]);
		for (const name of ['one', 'two']) askAndConfirmOne(setup, 'create', [], { name });
		await setup.pass(10_000);
		expect(setup.sentChanges()).toHaveLength(1);
		await setup.until(() => setup.sentChanges().length === 2);
	});

	test('a create is reported as not done before the next create is sent', async () => {
		const { setup } = await openWithAtlas();
		setup.simulator.setFaults([{ target: 'create', kind: 'reset', count: 1 }]);
		const first = askAndConfirmOne(setup, 'create', []);
		await setup.until(() => setup.stageOf(first.key) === 'unknown');
		const second = askAndConfirmOne(setup, 'create', []);
		await setup.pass(10_000);
		expect(setup.waitReasonOf(second.key)).toEqual({ type: 'previous' });
		expect(setup.sentChanges()).toHaveLength(1);
		expect((await failureOnceFailed(setup, first.key))?.message).toMatch(
			/probably none was created/,
		);
		await setup.until(() => setup.stageOf(second.key) === 'accepted');
		expect(setup.world.computers()).toHaveLength(2);
	});
});

const pane = '4245';

/** Opens operations on one computer, on which another process operates as well. */
async function withAtlas() {
	const setup = await openOperations();
	const { id } = setup.world.add({ name: 'atlas' });
	await setup.watched();
	const foldOther = (...bodies: FactBody[]) =>
		setup.store.receive(
			bodies.map(body => ({ account: 'owner', at: setup.clock.now(), pane, ...body })),
		);
	const askedByOther = (operation: OperationId, step: 'counting' | 'sent' = 'counting') => {
		const now = setup.clock.now();
		const times = step === 'sent' ? { sent: now } : { until: now + 4_000 };
		const spec = { key: 'other', operation, computer: id, name: 'atlas' };
		return operationChanged(spec, step, { asked: now, ...times });
	};
	function ask(operation: OperationId) {
		const asked = setup.operations.ask(operation, [id]);
		if (asked.type !== 'question') throw new Error('no question');
		return asked.question;
	}
	const answer = (question: ReturnType<typeof ask>) => {
		const answered = setup.operations.answer({
			...question,
			answers: question.steps.map(answerTo),
		});
		return answered.type === 'begun' ? (answered.operations[0]?.spec.key ?? '') : '';
	};
	const changes = (question: ReturnType<typeof ask>) =>
		targetChangesIn(question, () => setup.known()).map(({ description }) => description);
	return { setup, id, foldOther, askedByOther, ask, answer, changes };
}

describe('an operation of another pane on the same computer', () => {
	test.each<[OperationId, OperationId, string]>([
		['restart', 'restart', 'restarts'],
		['stop', 'stop', 'stops'],
		['delete', 'restart', 'restarts'],
		['restart', 'start', 'starts'],
	])(
		'is said by the open question of %s, whose answer sends nothing while the other %s is under way',
		async (operation, other, verb) => {
			const { setup, foldOther, askedByOther, ask, answer, changes } = await withAtlas();
			const question = ask(operation);
			expect(changes(question)).toEqual([]);
			foldOther(askedByOther(other, 'sent'));
			const why = `another pane or command of yours ${verb} it`;
			expect(changes(question)).toEqual([`is busy: ${why}`]);
			const key = answer(question);
			await setup.pass(5_000);
			expect(setup.operationOf(key)?.failure?.message).toBe(why);
			expect(setup.sentChanges()).toEqual([]);
		},
	);

	test('that counts down and was asked for first is sent alone', async () => {
		const { setup, foldOther, askedByOther, ask, answer } = await withAtlas();
		const question = ask('stop');
		foldOther(askedByOther('stop'));
		await setup.pass(500);
		const key = answer(question);
		await setup.pass(5_000);
		expect(setup.stageOf(key)).toBe('failed');
		expect(setup.sentChanges()).toEqual([]);
	});

	test('that counts down and was asked for later holds nothing up', async () => {
		const { setup, id, foldOther, askedByOther } = await withAtlas();
		askAndConfirmOne(setup, 'stop', [id]);
		await setup.pass(500);
		foldOther(askedByOther('stop'));
		await setup.pass(5_000);
		expect(setup.sentChanges()).toEqual([`POST /${id}/stop 200`]);
	});
});

async function withMany(count: number, state: 'active' | 'stopped' = 'active') {
	const setup = await openOperations();
	const ids = Array.from(
		{ length: count },
		(_, n) => setup.world.add({ name: `box${n}`, state }).id,
	);
	await setup.watched();
	return { setup, ids };
}

test('forty computers are stopped within the rate limit, and the progress is reported', async () => {
	const { setup, ids } = await withMany(40);
	const specs = askAndConfirm(setup, 'stop', ids);
	const { batch = '' } = specs[0] ?? {};
	const progress = () => setup.batchOf(batch);
	await setup.until(() => (progress()?.countsByState.underWay ?? 0) > 20);
	expect(progress()).toMatchObject({ id: batch, total: 40, isOver: false });
	expect(setup.sendingTimeLeft(batch)).toBeGreaterThan(0);
	await setup.until(() => progress()?.isOver === true);
	expect(progress()?.countsByState).toMatchObject({ done: 40, failed: 0, waiting: 0 });
	expect(setup.sendingTimeLeft(batch)).toBe(0);
	expect(setup.sentChanges().sort()).toEqual(ids.map(id => `POST /${id}/stop 200`).sort());
	expect(setup.simulator.requests.some(({ status }) => status === 429)).toBe(false);
});

test('a single operation is sent before the rest of a batch', async () => {
	const { setup, ids } = await withMany(60);
	const [first = '', ...others] = ids;
	askAndConfirm(setup, 'restart', others);
	await setup.until(() => setup.sentChanges().length > 20);
	const { key } = askAndConfirmOne(setup, 'restart', [first]);
	await setup.until(() => setup.stepsOf(key).includes('sent'));
	const before = setup.sentChanges().length;
	expect(before).toBeLessThan(35);
});

/** Lists computers that the simulator does not have, and stops the watch. */
async function withListed(count: number) {
	const { setup } = await withMany(0);
	setup.watch.stop();
	const ids = Array.from({ length: count }, (_, n) => `sb_${n}`);
	const listAs = (status: string) =>
		setup.store.receive([
			{
				account: 'owner',
				at: setup.clock.now(),
				type: 'listRead',
				computers: ids.map((id, n) => ({ id, name: `box${n}`, status })),
			},
		]);
	listAs('active');
	return { setup, ids, listAs };
}

test('a question about more than 500 computers is refused, and says how to narrow it', async () => {
	const { setup, ids } = await withListed(501);
	const refused = setup.operations.ask('stop', ids);
	expect(refused).toMatchObject({
		refusal: {
			reason: 'too-many',
			message:
				'At most 500 computers at a time, and these are 501: narrow the filter or mark fewer',
		},
	});
	expect(setup.operations.state().question).toBeUndefined();
	expect(setup.operations.ask('stop', ids.slice(1)).type).toBe('question');
});

test('cancelling a batch in its countdown notifies once, and the history of each of its computers says it', async () => {
	const { setup, ids } = await withListed(500);
	const [first] = askAndConfirm(setup, 'stop', ids);
	let notices = 0;
	setup.store.subscribe(() => {
		notices += 1;
	});
	expect(setup.operations.cancel('countingDown')).toHaveLength(500);
	expect(notices).toBe(1);
	expect(setup.batchOf(first?.batch ?? '')).toMatchObject({
		isOver: true,
		countsByState: { cancelled: 500 },
	});
	for (const id of ['sb_0', 'sb_499'])
		expect(changesOfComputer(setup.known(), id).at(-1)).toMatchObject({
			type: 'operationMoved',
			to: 'cancelled',
			wish: { operation: 'stop', computer: id },
		});
	await setup.pass(60_000);
	expect(setup.sentChanges()).toEqual([]);
});

test('cancelling the operations of an account leaves those of other accounts', async () => {
	const { setup, ids } = await withListed(6);
	askAndConfirm(setup, 'stop', ids);
	expect(setup.operations.cancel({ account: 'other' })).toEqual([]);
	expect(setup.operations.cancel({ account: 'owner' })).toHaveLength(6);
});

test('operations whose computers have all changed fail without a request', async () => {
	const { setup, ids, listAs } = await withListed(500);
	const { batch = '' } = askAndConfirm(setup, 'restart', ids)[0] ?? {};
	setup.operations.lock();
	await setup.pass(5_000);
	listAs('stopped');
	setup.operations.unlock();
	await setup.until(() => setup.batchOf(batch)?.countsByState.failed === 500);
	expect(setup.sentChanges()).toEqual([]);
});

test('when the sign-in is refused, a whole batch fails after one attempt, and a later operation signs in again', async () => {
	const setup = await openOperations();
	setup.simulator.setFaults([{ target: 'sign-in', kind: 'unauthorized' }]);
	const { id } = setup.world.add({ name: 'atlas' });
	const ids = [id, ...Array.from({ length: 499 }, (_, n) => `sb_${n}`)];
	setup.store.receive([
		{
			account: 'owner',
			at: setup.clock.now(),
			type: 'listRead',
			computers: ids.map(each => ({ id: each, status: 'active' })),
		},
	]);
	const { batch = '' } = askAndConfirm(setup, 'restart', ids)[0] ?? {};
	await setup.until(() => setup.batchOf(batch)?.countsByState.failed === 500);
	const signIns = setup.simulator.requests.filter(({ scope }) => scope === 'auth');
	expect(signIns).toHaveLength(1);
	expect(setup.sentChanges()).toEqual([]);
	setup.simulator.setFaults([]);
	askAndConfirm(setup, 'restart', [id]);
	await setup.until(() => setup.sentChanges().length === 1);
});
