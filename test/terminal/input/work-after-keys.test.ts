import { expect, test } from 'vitest';
import { workAfterKeys } from '../../../source/terminal/input/work-after-keys.ts';
import { createKeyStream } from '../../../source/terminal/process/streams.ts';

/** Opens a terminal whose turns end, and whose frames are shown, when the test says so. */
function openTerminal() {
	const turns: (() => void)[] = [];
	const frames: (() => void)[] = [];
	const stdin = createKeyStream();
	let works = 0;
	workAfterKeys(
		{ stdin, whenFrameShown: call => frames.push(call) },
		() => new Promise(resolve => turns.push(resolve)),
		() => {
			works += 1;
		},
	);
	return {
		press: () => stdin.push('j'),
		async endTurn() {
			for (const end of turns.splice(0)) end();
			await Promise.resolve();
		},
		showFrame() {
			for (const show of frames.splice(0)) show();
		},
		works: () => works,
	};
}

test('the work after a key is done once the frame of the key is shown, and not earlier', async () => {
	const terminal = openTerminal();
	terminal.press();
	terminal.showFrame();
	expect(terminal.works()).toBe(0);
	await terminal.endTurn();
	expect(terminal.works()).toBe(0);
	terminal.showFrame();
	expect(terminal.works()).toBe(1);
	terminal.showFrame();
	expect(terminal.works()).toBe(1);
});

test('the work after a key waits for the frame of a second key that is pressed before the first frame is shown', async () => {
	const terminal = openTerminal();
	terminal.press();
	await terminal.endTurn();
	terminal.press();
	terminal.showFrame();
	expect(terminal.works()).toBe(0);
	await terminal.endTurn();
	terminal.showFrame();
	expect(terminal.works()).toBe(1);
});
