import { describe, expect, test } from 'vitest';
import type { FactBody } from '../../source/fleet/fact.ts';
import type { OperationId } from '../../source/fleet/operations/operation.ts';
import { targetChangesIn } from '../../source/operations/question.ts';
import { operationChanged } from '../arbitraries/sample-facts.ts';
import { answerTo, askAndConfirmOne, openOperations } from './open-operations.ts';

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
