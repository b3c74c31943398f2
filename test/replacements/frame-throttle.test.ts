import { EventEmitter } from 'node:events';
import { render, Text } from 'ink';
import { createElement } from 'react';
import { expect, onTestFinished, test } from 'vitest';

/** Changes a text twice in one turn of the event loop, and returns how many frames Ink has written by then. */
function framesOfTwoChanges(maxFps: number): number {
	let frames = 0;
	const stream = Object.assign(new EventEmitter(), {
		...{ columns: 40, rows: 10, isTTY: true },
		write: () => {
			frames += 1;
			return true;
		},
	}) as unknown as NodeJS.WriteStream;
	const options = {
		stdout: stream,
		stderr: stream,
		patchConsole: false,
		interactive: true,
		maxFps,
	};
	const app = render(createElement(Text, {}, 'first'), options);
	onTestFinished(() => app.unmount());
	frames = 0;
	app.rerender(createElement(Text, {}, 'second'));
	app.rerender(createElement(Text, {}, 'third'));
	return frames;
}

test('Ink writes each change at once if the number of frames is not limited', () => {
	expect(framesOfTwoChanges(Number.POSITIVE_INFINITY)).toBe(2);
});

test('Ink lets changes wait for each other if the number of frames is limited', () => {
	expect(framesOfTwoChanges(1)).toBe(0);
});
