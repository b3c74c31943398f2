import { describe, expect, onTestFinished, test } from 'vitest';
import { type OwnCommand, ownCommandId } from '../../source/fleet/operations/own-command.ts';
import type { CommandRunner } from '../../source/operations/command-runner.ts';
import { addOwnCommands } from '../../source/operations/own-commands.ts';
import { createFailure, PlatformError } from '../../source/platform/decoding/platform-error.ts';
import {
	askAndConfirmOne,
	failureOnceFailed,
	openOperations,
	openWithAtlas,
} from './open-operations.ts';

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

test('an own command that was ended with the program is unknown for good, and is not looked up', async () => {
	const { setup, id } = await openWithAtlas();
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
	const failure = createFailure('invalid', 'was ended', { isOutcomeUnknown: true });
	const run = () => Promise.reject(new PlatformError(failure));
	const runner = { run } as unknown as CommandRunner;
	onTestFinished(addOwnCommands([command], { runner }));
	const { key } = askAndConfirmOne(setup, ownCommandId(command), [id]);
	await setup.until(() => setup.stageOf(key) !== 'queued');
	expect(setup.operationOf(key)).toMatchObject({ stage: 'failed', failure });
});
