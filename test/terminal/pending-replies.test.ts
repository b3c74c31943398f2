import { expect, test } from 'vitest';
import { createPendingReplies } from '../../source/terminal/queries.ts';
import { createHeldClock } from '../held-clock.ts';

/** Ends the program, which waits for the answers of the terminal. */
function openEnd() {
	const clock = createHeldClock();
	const answers = createPendingReplies(clock);
	const state = { isOver: false };
	const settled = () => new Promise(setImmediate);
	return {
		clock,
		answers,
		async leave() {
			void answers.done().then(() => {
				state.isOver = true;
			});
			await settled();
		},
		async isOver() {
			await settled();
			return state.isOver;
		},
	};
}

test('does not wait at exit when the terminal was not asked or has answered', async () => {
	const unasked = openEnd();
	await unasked.leave();
	expect(await unasked.isOver()).toBe(true);

	const answered = openEnd();
	answered.answers.begin();
	answered.answers.end();
	await answered.leave();
	expect(await answered.isOver()).toBe(true);
	expect(answered.clock.waiting).toBe(0);
});

test('ends at once with the last answer', async () => {
	const { answers, leave, isOver } = openEnd();
	answers.begin();
	await leave();
	expect(await isOver()).toBe(false);
	answers.end();
	expect(await isOver()).toBe(true);
});

test('waits 150 ms at exit for a terminal that does not answer', async () => {
	const { clock, answers, leave, isOver } = openEnd();
	answers.begin();
	await leave();
	clock.move(149);
	expect(await isOver()).toBe(false);
	clock.move(1);
	expect(await isOver()).toBe(true);
});

test('expects answers for three seconds at most', () => {
	const { clock, answers } = openEnd();
	answers.begin();
	clock.move(2_999);
	expect(answers.arePending()).toBe(true);
	clock.move(1);
	expect(answers.arePending()).toBe(false);
});
