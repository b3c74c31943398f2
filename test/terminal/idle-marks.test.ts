import { expect, test } from 'vitest';
import { createActivity } from '../../source/fleet/activity.ts';
import { createIdleMarks } from '../../source/terminal/idle-marks.ts';

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

test('writes no marks unless asked to', async () => {
	const { written, marks } = openMarks();
	marks.reading(() => {})('jjj');
	await turns(5);
	expect(written).toEqual([]);
});

test('marks an idle program with the number of bytes that it has read', async () => {
	const { written, marks } = openMarks();
	marks.markWhenIdle(turn);
	await turns(5);
	expect(written).toEqual([mark(0)]);
	marks.reading(() => {})('jé');
	await turns(5);
	expect(written).toEqual([mark(0), mark(3)]);
});

test('writes no mark while work that a key began is under way', async () => {
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

test('writes the mark after a frame that was still to be drawn when the keys were read', async () => {
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

test('stays busy from one frame to the next', async () => {
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

test('the next renderer takes over the marks', async () => {
	const { activity, written, marks } = openMarks();
	marks.markWhenIdle(turn);
	await turns(5);
	marks.markWhenIdle(turn);
	await turns(5);
	activity.begin()();
	await turns(5);
	expect(written).toEqual([mark(0), mark(0), mark(0)]);
});
