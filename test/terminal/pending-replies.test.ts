import { expect, test } from 'vitest';
import { createPendingReplies } from '../../source/terminal/features/queries.ts';
import { createHeldClock } from '../held-clock.ts';

/** Ends the program, which waits for the replies of the terminal. */
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

test('the program does not wait at exit when no query was sent or the terminal has replied', async () => {
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

test('the wait at exit ends as soon as the last reply arrives', async () => {
	const { answers, leave, isOver } = openEnd();
	answers.begin();
	await leave();
	expect(await isOver()).toBe(false);
	answers.end();
	expect(await isOver()).toBe(true);
});

test('the program waits 150 ms at exit for a terminal that does not reply', async () => {
	const { clock, answers, leave, isOver } = openEnd();
	answers.begin();
	await leave();
	clock.move(149);
	expect(await isOver()).toBe(false);
	clock.move(1);
	expect(await isOver()).toBe(true);
});

test('replies are expected for at most three seconds after the queries', () => {
	const { clock, answers } = openEnd();
	answers.begin();
	clock.move(2_999);
	expect(answers.arePending()).toBe(true);
	clock.move(1);
	expect(answers.arePending()).toBe(false);
});
