import { EventEmitter } from 'node:events';
import { Box, type DOMElement, render, Text } from 'ink';
import { createElement, createRef } from 'react';
import { expect, test, vi } from 'vitest';
import { FlexNode } from '../../source/terminal/layout/flex-node.ts';

const rows = 30;

function createStream() {
	const stream = { columns: 40, rows, isTTY: true, write: () => true };
	return Object.assign(new EventEmitter(), stream) as unknown as NodeJS.WriteStream;
}

/** Shows one truncated text for each row, and returns how often a change makes Ink measure a text. */
function openTexts() {
	const stream = createStream();
	const options = { stdout: stream, stderr: stream, patchConsole: false, debug: true };
	const elementOf = (texts: readonly string[]) =>
		createElement(
			Box,
			{ flexDirection: 'column', width: 40 },
			texts.map((text, at) => createElement(Text, { key: at, wrap: 'truncate-end' }, text)),
		);
	const texts = Array.from({ length: rows }, (_, at) => `computer ${at}`.padEnd(38));
	const app = render(elementOf(texts), options);
	const marked = vi.spyOn(FlexNode.prototype, 'markDirty');
	return {
		texts,
		layoutsAfter(changed: readonly string[]) {
			marked.mockClear();
			app.rerender(elementOf(changed));
			return marked.mock.calls.length;
		},
		close() {
			marked.mockRestore();
			app.unmount();
		},
	};
}

test('Ink computes no layout for texts that keep their size', () => {
	const { texts, layoutsAfter, close } = openTexts();
	expect(layoutsAfter(texts.map(text => text.replace('computer', 'COMPUTER')))).toBe(0);
	close();
});

test('Ink computes the layout for each text that gets another size', () => {
	const { texts, layoutsAfter, close } = openTexts();
	expect(layoutsAfter(texts.with(0, 'short').with(1, 'two\nlines'))).toBe(2);
	close();
});

test('Ink leaves an element alone of which only the children changed', () => {
	const stream = createStream();
	const box = createRef<DOMElement>();
	const elementOf = (text: string, width: number) =>
		createElement(Box, { ref: box, width, height: 1 }, createElement(Text, null, text));
	const options = { stdout: stream, stderr: stream, patchConsole: false, debug: true };
	const app = render(elementOf('one', 20), options);
	app.rerender(elementOf('two', 20));
	expect(box.current?.attributes).not.toHaveProperty('children');
	app.rerender(elementOf('two', 30));
	expect(box.current?.yogaNode?.getComputedWidth()).toBe(30);
	app.unmount();
});
