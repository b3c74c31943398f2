import { expect, test } from 'vitest';
import type { Question } from '../../source/operations/question.ts';
import { noGrace, openOperations } from './open-operations.ts';

async function withQuestion() {
	const setup = await openOperations({ operations: noGrace });
	const [atlas, borealis] = ['atlas', 'borealis'].map(name => setup.world.add({ name }).id);
	await setup.watched();
	function ask(id = ''): Question {
		const asked = setup.operations.ask('restart', [id]);
		if (asked.type !== 'question') throw new Error('no question was asked');
		return asked.question;
	}
	return { setup, atlas, ask, question: ask(atlas), other: () => ask(borealis) };
}

const yes = (question: Question) => ({ ...question, answers: ['y'] });

test('an answer from outside never changes what the question is about', async () => {
	const { setup, atlas, question } = await withQuestion();
	const targets = question.targets.map(target => ({ ...target, id: 'sb_other' }));
	setup.operations.answer({ ...yes(question), targets, operation: 'delete' });
	await setup.pass(1_000);
	expect(setup.sentChanges()).toEqual([`POST /${atlas}/restart 200`]);
});

test.each([
	['not in full', (question: Question) => question],
	['with another answer', (question: Question) => ({ ...question, answers: ['n'] })],
	['with more answers than steps', (question: Question) => ({ ...question, answers: ['y', 'y'] })],
	['without steps', (question: Question) => ({ ...question, steps: [], answers: [] })],
])('an answer from outside sends nothing: %s', async (_, forged) => {
	const { setup, question } = await withQuestion();
	expect(setup.operations.answer(forged(question)).type).toBe('refused');
	await setup.pass(1_000);
	expect(setup.sentChanges()).toEqual([]);
});

test('an answer to a question that is no longer open sends nothing', async () => {
	const { setup, question, other } = await withQuestion();
	other();
	expect(setup.operations.answer(yes(question)).type).toBe('refused');
	await setup.pass(1_000);
	expect(setup.sentChanges()).toEqual([]);
});
