import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { render } from 'ink';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Keyboard } from '../../source/keys/Keyboard.tsx';
import { createKeyStream, createSilentStream } from '../../source/terminal/process/streams.ts';

function openKeyboard() {
	const stdin = createKeyStream();
	const silence = createSilentStream();
	const streams = { stdin, stdout: silence, stderr: silence, interactive: true };
	const pressed: string[] = [];
	const keyboardOf = (name: string) => {
		const fleet = { name };
		const view = (
			<Keyboard
				dispatcher={() => undefined}
				getContext={() => 'fleet'}
				onIntent={() => pressed.push(fleet.name)}
			/>
		);
		return { view, fleet: new WeakRef(fleet) };
	};
	const first = keyboardOf('first');
	const ink = render(first.view, { ...streams, exitOnCtrlC: false, patchConsole: false });
	onTestFinished(() => ink.unmount());
	return {
		first: first.fleet,
		pressed,
		press: (key: string) => stdin.push(key),
		drawAgain: async (name: string) => {
			ink.rerender(keyboardOf(name).view);
			await ink.waitUntilRenderFlush();
		},
	};
}

test('a key calls the functions of the last render', async () => {
	const { pressed, press, drawAgain } = openKeyboard();
	await drawAgain('second');
	press('~');
	await vi.waitFor(() => expect(pressed).toEqual(['second']), { interval: 1, timeout: 50_000 });
});

test('what the first render used is freed after later renders', async () => {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc');
	const { first, drawAgain } = openKeyboard();
	for (const name of ['second', 'third', 'fourth']) await drawAgain(name);
	await new Promise(setImmediate);
	collectGarbage();
	expect(first.deref()).toBeUndefined();
});
