import { expect, test } from 'vitest';
import type { Question } from '../../source/operations/question-wording.ts';
import { noGrace, openOperations } from './open-operations.ts';

async function withQuestion() {
	const setup = await openOperations({ operations: noGrace });
	const [atlas, borealis] = ['atlas', 'borealis'].map(name => setup.world.add({ name }).id);
	await setup.watched();
	function ask(id = ''): Question {
		const reply = setup.operations.ask('restart', [id]);
		if (reply.type !== 'question') throw new Error('expected a question');
		return reply.question;
	}
	return { setup, atlas, ask, question: ask(atlas), other: () => ask(borealis) };
}

const yes = (question: Question) => ({ ...question, answers: ['y'] });

test('a forged answer cannot change the operation or the targets of the open question', async () => {
	const { setup, atlas, question } = await withQuestion();
	const targets = question.targets.map(target => ({ ...target, id: 'sb_other' }));
	setup.operations.answer({ ...yes(question), targets, operation: 'delete' });
	await setup.pass(1_000);
	expect(setup.sentChanges()).toEqual([`POST /${atlas}/restart 200`]);
});

test.each([
	['that is not complete', (question: Question) => question],
	['whose answer is “no”', (question: Question) => ({ ...question, answers: ['n'] })],
	['with more answers than steps', (question: Question) => ({ ...question, answers: ['y', 'y'] })],
	['without steps', (question: Question) => ({ ...question, steps: [], answers: [] })],
])('no request is sent for a forged answer %s', async (_, forged) => {
	const { setup, question } = await withQuestion();
	expect(setup.operations.answer(forged(question)).type).toBe('refused');
	await setup.pass(1_000);
	expect(setup.sentChanges()).toEqual([]);
});

test('no request is sent for an answer to a question that another question has replaced', async () => {
	const { setup, question, other } = await withQuestion();
	other();
	expect(setup.operations.answer(yes(question)).type).toBe('refused');
	await setup.pass(1_000);
	expect(setup.sentChanges()).toEqual([]);
});

test('an answer about a computer that was deleted meanwhile begins nothing, and says so', async () => {
	const { setup, atlas = '', question } = await withQuestion();
	setup.world.remove(atlas);
	await setup.watched();
	expect(setup.operations.answer(yes(question))).toMatchObject({
		type: 'refused',
		refusal: { message: 'atlas no longer exists: nothing was sent' },
	});
	await setup.pass(1_000);
	expect(setup.sentChanges()).toEqual([]);
});
