import { expect, test } from 'vitest';
import { createActivity } from '../../../source/foundation/activity.ts';
import { createIdleMarks } from '../../../source/terminal/process/idle-marks.ts';

const turn = () => new Promise(setImmediate);
const turns = async (count: number) => {
	for (let each = 0; each < count; each += 1) await turn();
};
const mark = (bytes: number) => `\u001B]7717;${bytes}\u001B\\`;

function openMarks() {
	const activity = createActivity();
	const written: string[] = [];
	const marks = createIdleMarks(activity, sequence => written.push(sequence));
	return { activity, written, marks };
}

test('no idle marks are written before the program requests them', async () => {
	const { written, marks } = openMarks();
	marks.reading(() => {})('jjj');
	await turns(5);
	expect(written).toEqual([]);
});

test('the idle mark holds the number of input bytes that the program has read', async () => {
	const { written, marks } = openMarks();
	marks.markWhenIdle(turn);
	await turns(5);
	expect(written).toEqual([mark(0)]);
	marks.reading(() => {})('jé');
	await turns(5);
	expect(written).toEqual([mark(0), mark(3)]);
});

test('the mark that tells tests that the program is idle is not written before the work that a key began has ended', async () => {
	const { activity, written, marks } = openMarks();
	marks.markWhenIdle(turn);
	await turns(5);
	let end = () => {};
	marks.reading(() => {
		end = activity.begin();
	})('R');
	await turns(5);
	expect(written).toEqual([mark(0)]);
	end();
	await turns(5);
	expect(written).toEqual([mark(0), mark(1)]);
});

test('the idle mark follows the frame that was pending when the keys were read', async () => {
	const { written, marks } = openMarks();
	let isDrawn = true;
	const send = marks.sending((text, taken) => {
		setImmediate(() => {
			written.push(text);
			taken();
		});
	});
	marks.markWhenIdle(async () => {
		await turn();
		if (!isDrawn) send('frame', () => {});
		isDrawn = true;
	});
	await turns(5);
	marks.reading(() => {
		isDrawn = false;
	})('j');
	await turns(10);
	expect(written).toEqual([mark(0), 'frame', mark(1)]);
});

test('no idle mark is written between two frames that follow each other directly', async () => {
	const { written, marks } = openMarks();
	marks.markWhenIdle(turn);
	await turns(5);
	const taken: (() => void)[] = [];
	const send = marks.sending((_, isTaken) => taken.push(isTaken));
	send('first', () => send('second', () => {}));
	taken[0]?.();
	await turns(5);
	expect(written).toEqual([mark(0)]);
	taken[1]?.();
	await turns(5);
	expect(written).toEqual([mark(0), mark(0)]);
});

test('a renderer that starts replaces the earlier one, so no idle mark is written twice', async () => {
	const { activity, written, marks } = openMarks();
	marks.markWhenIdle(turn);
	await turns(5);
	marks.markWhenIdle(turn);
	await turns(5);
	activity.begin()();
	await turns(5);
	expect(written).toEqual([mark(0), mark(0), mark(0)]);
});
