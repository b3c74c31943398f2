import { expect, onTestFinished, test } from 'vitest';
import type { FactBody } from '../../source/fleet/fact.ts';
import type { OperationId } from '../../source/fleet/operations/operation.ts';
import { type OwnCommand, ownCommandId } from '../../source/fleet/operations/operation-row.ts';
import type { CommandRunner } from '../../source/operations/command-runner.ts';
import { addOwnCommands } from '../../source/operations/own-commands.ts';
import { targetChangesIn } from '../../source/operations/question.ts';
import { createFailure, PlatformError } from '../../source/platform/decoding/platform-error.ts';
import { operationChanged } from '../arbitraries/sample-facts.ts';
import { testAccount } from '../opened-account.ts';
import { openOperations, openWith } from './open-operations.ts';

// What happens to operations whatever comes, in every order, is in `test/invariants/operations.test.ts`. This is what a
// person is told, and what the platform receives.

test('an update goes to the version that its question named, even if a newer one appears', async () => {
	const { setup, id } = await openWith({ version: '0.0.1' });
	const latest = setup.known().release?.version;
	const { key } = setup.start('update', [id]);
	setup.world.publishRelease('99.0.0');
	await setup.until(() => setup.stepsOf(key).includes('settled'));
	expect(setup.world.find(id)).toMatchObject({ state: 'active', version: latest });
	expect(setup.stepsOf(key)).toEqual(['sent', 'settled']);
});

test.each([
	[100, ['start 200', 'update 200'], undefined],
	[0, ['start 402'], 'stopped, must be started first'],
] as const)(
	'a stopped computer that is to be started first is updated after its start (with %i credits: %j)',
	async (credits, sent, why) => {
		const { setup, id } = await openWith({ version: '0.0.1', state: 'stopped' });
		setup.world.setCredits(credits);
		const { key } = setup.start('update', [id], { starting: 'chosen' });
		await setup.until(() => setup.stageOf(key) === undefined || setup.stageOf(key) === 'failed');
		expect(setup.sentChanges()).toEqual(sent.map(each => `POST /${id}/${each}`));
		expect(setup.operationOf(key)?.failure?.message).toBe(why);
	},
);

test('where the platform lists no ports, one can be published again, and the question of unpublish asks which', async () => {
	const { setup, id } = await openWith({ ports: [9000] }, { shapes: { ports: 'none' } });
	for (const _ of ['first', 'again']) {
		const { key } = setup.start('publish', [id]);
		await setup.until(() => setup.stepsOf(key).includes('settled'));
	}
	expect(setup.ask('unpublish', [id])).toMatchObject({
		question: { steps: [{ kind: 'port' }, { kind: 'yes' }] },
	});
});

type Open = Awaited<ReturnType<typeof openWith>>['setup'];

test.each<[OperationId, (world: Open['world'], id: string) => void, number]>([
	['delete', (world, id) => world.remove(id), 404],
	['stop', (world, id) => world.sleep(id), 409],
	['unpublish', (world, id) => world.operate('unpublish', world.get(id), { port: 8080 }), 404],
])('a refused %s is done if the computer is so already', async (operation, happens, status) => {
	const { setup, id } = await openWith({ ports: [8080] });
	const { key } = setup.start(operation, [id]);
	setup.watch.stop();
	happens(setup.world, id);
	await setup.pass(5_000);
	setup.watch.start();
	await setup.until(() => setup.stepsOf(key).length === 2);
	expect(setup.stepsOf(key)).toEqual(['sent', 'settled']);
	expect(setup.sentChanges()).toEqual([expect.stringContaining(` ${status}`)]);
});

test.each([
	['hang', { isOutcomeUnknown: false }],
	['throttle', { kind: 'limited' }],
] as const)(
	'an operation fails without a request when the sign-in before it meets the fault “%s”',
	async (kind, failure) => {
		const { setup, id } = await openWith({}, { tokenLifetimeSeconds: 60 });
		setup.watch.stop();
		setup.simulator.setFaults([{ target: 'sign-in', kind }]);
		await setup.pass(60_000);
		const { key } = setup.start('restart', [id]);
		expect(await setup.failureOf(key)).toMatchObject(failure);
		expect(setup.sentChanges()).toEqual([]);
	},
);

test('a create whose new sign-in after a 401 hangs is known not to be done, and does not delay the next one', async () => {
	const { setup } = await openWith();
	setup.watch.stop();
	setup.simulator.setFaults([
		{ target: 'create', kind: 'unauthorized', count: 1 },
		{ target: 'sign-in', kind: 'hang', count: 1 },
	]);
	const { key } = setup.start('create', []);
	expect(await setup.failureOf(key)).toMatchObject({ isOutcomeUnknown: false });
	const next = setup.start('create', []);
	await setup.until(() => setup.stageOf(next.key) === 'accepted');
});

test('a refused sign-in fails after one attempt all that waits in its account, and a later operation signs in again', async () => {
	const { setup, ids } = await openWithMany(4);
	setup.simulator.expireTokens();
	setup.simulator.setFaults([{ target: 'sign-in', kind: 'unauthorized' }]);
	setup.askAndConfirm('stop', ids.slice(1));
	const { key } = setup.start('restart', ids.slice(0, 1));
	const signIns = () => setup.simulator.requests.filter(({ scope }) => scope === 'auth').length;
	const before = signIns();
	expect(await setup.failureOf(key)).toMatchObject({ kind: 'auth' });
	expect(signIns() - before).toBe(1);
	expect(setup.sentChanges().filter(each => !each.endsWith('stop 401'))).toEqual([]);
	setup.simulator.setFaults([]);
	setup.askAndConfirm('stop', ids.slice(1, 2));
	await setup.until(() => setup.sentChanges().some(each => each.endsWith('stop 200')));
});

test('an operation that the rate limit has refused six times fails, and is known not to be done', async () => {
	const { setup, id } = await openWith();
	setup.simulator.setFaults([{ target: 'stop', kind: 'throttle' }]);
	const { key } = setup.start('stop', [id]);
	expect(await setup.failureOf(key)).toMatchObject({
		message: 'rate limited 6 times and not done',
		isOutcomeUnknown: false,
	});
	await setup.pass(120_000);
	expect(setup.sentChanges()).toEqual(Array(6).fill(`POST /${id}/stop 429`));
});

test('an operation that its computer no longer accepts says why, and is not sent', async () => {
	const { setup, id } = await openWith({});
	const { key } = setup.start('restart', [id]);
	setup.world.sleep(id);
	expect(await setup.failureOf(key)).toMatchObject({ message: 'stopping now' });
	expect(setup.sentChanges()).toEqual([]);
});

test('an operation blocks every other one on its computer, which says how far it is', async () => {
	const { setup, id } = await openWith({});
	const seeStopRefused = (reason: string) =>
		expect(setup.ask('stop', [id])).toMatchObject({
			refusal: { reason: 'not-allowed', skipped: [{ id, name: 'atlas', reason }] },
		});
	const { key } = setup.start('restart', [id]);
	seeStopRefused('its restart counts down');
	setup.operations.lock();
	await setup.pass(5_000);
	expect(setup.waitReasonOf(key)).toEqual({ type: 'unlock' });
	setup.operations.unlock();
	seeStopRefused('its restart is already queued');
	await setup.until(() => setup.known().computers.get(id)?.phase === 'restarting');
	seeStopRefused('restarting now');
});

test('an overdue operation is said by the question of the next one on its computer, which replaces it', async () => {
	const { setup, id } = await openWith();
	setup.simulator.setFaults([
		{ target: 'restart', kind: 'lost', count: 1 },
		...(['status', 'list', 'detail'] as const).map(target => ({ target, kind: '503' }) as const),
	]);
	const { key } = setup.start('restart', [id]);
	await setup.pass(124_000);
	const reply = setup.ask('stop', [id]);
	const lines = reply.type === 'question' ? reply.question.lines : [];
	expect(lines).toContainEqual(expect.stringMatching(/^It is still restarting after 2 min/));
	setup.start('stop', [id]);
	expect(setup.stepsOf(key)).toEqual(['sent', 'unknown', 'unknown']);
	await setup.until(() => setup.sentChanges().length === 2);
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
	const { setup, id } = await openWith();
	const failure = createFailure('invalid', 'was ended', { isOutcomeUnknown: true });
	const tool = addTool(() => Promise.reject(new PlatformError(failure)));
	const { key } = setup.start(tool, [id]);
	await setup.until(() => setup.stageOf(key) !== 'queued');
	expect(setup.operationOf(key)).toMatchObject({ stage: 'failed', failure });
});

test('an own command runs only when all who follow the facts have been told that it is sent', async () => {
	const { setup, id } = await openWith();
	const steps: string[] = [];
	setup.store.onFact(fact => {
		if (fact.type === 'operationChanged') steps.push(fact.step);
	});
	const tool = addTool(async () => void steps.push('runs'));
	setup.start(tool, [id]);
	await setup.until(() => steps.includes('done'));
	expect(steps.slice(0, 3)).toEqual(['queued', 'sent', 'runs']);
});

test('a publish whose response is lost reads the details if the list does not show published ports', async () => {
	const { setup, id } = await openWith(
		{},
		{ shapes: { listRecord: 'minimal', status: 'minimal' } },
	);
	setup.simulator.setFaults([{ target: 'publish', kind: 'reset' }]);
	const { key } = setup.start('publish', [id]);
	await setup.until(() => setup.stepsOf(key).length === 3);
	expect(setup.stepsOf(key)).toEqual(['sent', 'unknown', 'failed']);
});

test('a create waits until the outcome of the one before is known', async () => {
	const { setup } = await openWith();
	setup.simulator.setFaults([{ target: 'create', kind: 'reset', count: 1 }]);
	const first = setup.start('create', []);
	await setup.until(() => setup.stageOf(first.key) === 'unknown');
	const second = setup.start('create', []);
	await setup.pass(10_000);
	expect(setup.waitReasonOf(second.key)).toEqual({ type: 'previous' });
	expect((await setup.failureOf(first.key))?.message).toMatch(/probably none was created/);
	await setup.until(() => setup.stageOf(second.key) === 'accepted');
	expect(setup.sentChanges()).toHaveLength(2);
});

const why = 'another pane or command of yours stops it';

test.each([
	['was sent', 'sent', 0, why, undefined],
	['counts down and was asked for first', 'counting', 500, why, undefined],
	['counts down and was asked for later', 'counting', -500, undefined, 'POST'],
] as const)(
	'where another pane operates on the computer, and its operation %s, only the first one is sent',
	async (_, step, askedMsBefore, failure, sent) => {
		const { setup, id } = await openWith({});
		const asked = setup.ask('restart', [id]);
		if (asked.type !== 'question') throw new Error('no question');
		const tellOther = () => {
			const at = setup.clock.now();
			const times = step === 'sent' ? { sent: at } : { until: at + 4_000 };
			const spec = { key: 'other', operation: 'stop', computer: id, name: 'atlas' };
			const fact: FactBody = operationChanged(spec, step, { asked: at, ...times });
			setup.store.receive([{ account: testAccount, at, pane: '4245', ...fact }]);
		};
		if (askedMsBefore >= 0) {
			tellOther();
			await setup.pass(askedMsBefore);
			const changes = targetChangesIn(asked.question, () => setup.known());
			expect(changes).toMatchObject([{ description: `is busy: ${why}` }]);
		}
		const answered = setup.operations.answer({ ...asked.question, answers: ['y'] });
		const key = answered.type === 'begun' ? (answered.operations[0]?.spec.key ?? '') : '';
		if (askedMsBefore < 0) {
			await setup.pass(-askedMsBefore);
			tellOther();
		}
		await setup.pass(5_000);
		expect(setup.operationOf(key)?.failure?.message).toBe(failure);
		expect(setup.sentChanges()).toEqual(sent ? [`POST /${id}/restart 200`] : []);
	},
);

async function openWithMany(count: number) {
	const setup = await openOperations();
	const ids = Array.from({ length: count }, (_, n) => setup.world.add({ name: `box${n}` }).id);
	await setup.watched();
	return { setup, ids };
}

test('a batch is stopped within the rate limit, tells its progress, and lets a single operation go first', async () => {
	const { setup, ids } = await openWithMany(41);
	const [first = '', ...others] = ids;
	const { batch = '' } = setup.askAndConfirm('stop', others)[0] ?? {};
	const progress = () => setup.batchOf(batch);
	await setup.until(() => (progress()?.countsByState.underWay ?? 0) > 20);
	expect(progress()).toMatchObject({ id: batch, total: 40, isOver: false });
	const { key } = setup.start('stop', [first]);
	await setup.until(() => setup.stepsOf(key).includes('sent'));
	expect(setup.sentChanges().length).toBeLessThan(35);
	await setup.until(() => progress()?.isOver === true);
	expect(progress()?.countsByState).toMatchObject({ done: 40, failed: 0, waiting: 0 });
	expect(setup.simulator.requests.some(({ status }) => status === 429)).toBe(false);
});

test('a question about more than 500 computers is refused and says how to narrow it; Esc cancels 500 at once', async () => {
	const setup = await openOperations();
	const ids = Array.from({ length: 501 }, (_, n) => `sb_${n}`);
	const computers = ids.map(id => ({ id, status: 'active' }));
	const list: FactBody = { type: 'listRead', computers };
	setup.store.receive([{ account: testAccount, at: setup.clock.now(), ...list }]);
	expect(setup.ask('stop', ids)).toMatchObject({
		refusal: { reason: 'too-many', message: expect.stringContaining('narrow the filter') },
	});
	setup.operations.hold('quit');
	const { batch = '' } = setup.askAndConfirm('stop', ids.slice(1))[0] ?? {};
	let changes = 0;
	setup.store.subscribe(() => {
		changes += 1;
	});
	expect(setup.operations.cancel({ account: 'other' })).toEqual([]);
	expect(setup.operations.cancel({ batch })).toHaveLength(500);
	expect(changes).toBe(1);
	expect(setup.batchOf(batch)).toMatchObject({ isOver: true, countsByState: { cancelled: 500 } });
});
