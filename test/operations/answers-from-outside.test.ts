import { expect, test } from 'vitest';
import type { Question } from '../../source/operations/question.ts';
import { noGrace, openOperations } from './open-operations.ts';

async function withQuestion() {
	const rig = await openOperations({ operations: noGrace });
	const [atlas, borealis] = ['atlas', 'borealis'].map(name => rig.world.add({ name }).id);
	await rig.watched();
	function ask(id = ''): Question {
		const asked = rig.operations.ask('restart', [id]);
		if (asked.type !== 'question') throw new Error('no question was asked');
		return asked.question;
	}
	return { rig, atlas, ask, question: ask(atlas), other: () => ask(borealis) };
}

const yes = (question: Question) => ({ ...question, answers: ['y'] });

test('an answer from outside never changes what the question is about', async () => {
	const { rig, atlas, question } = await withQuestion();
	const targets = question.targets.map(target => ({ ...target, id: 'sb_other' }));
	rig.operations.answer({ ...yes(question), targets, operation: 'delete' });
	await rig.pass(1_000);
	expect(rig.deeds()).toEqual([`POST /${atlas}/restart 200`]);
});

test.each([
	['not in full', (question: Question) => question],
	['with another answer', (question: Question) => ({ ...question, answers: ['n'] })],
	['with more answers than steps', (question: Question) => ({ ...question, answers: ['y', 'y'] })],
	['without steps', (question: Question) => ({ ...question, steps: [], answers: [] })],
])('an answer from outside sends nothing: %s', async (_, forged) => {
	const { rig, question } = await withQuestion();
	expect(rig.operations.answer(forged(question)).type).toBe('refused');
	await rig.pass(1_000);
	expect(rig.deeds()).toEqual([]);
});

test('an answer to a question that is no longer open sends nothing', async () => {
	const { rig, question, other } = await withQuestion();
	other();
	expect(rig.operations.answer(yes(question)).type).toBe('refused');
	await rig.pass(1_000);
	expect(rig.deeds()).toEqual([]);
});
