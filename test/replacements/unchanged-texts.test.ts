import { EventEmitter } from 'node:events';
import chalk from 'chalk';
import fc from 'fast-check';
import { Box, type DOMElement, render, renderToString, Text } from 'ink';
import { createElement, createRef } from 'react';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../../scripts/build.js';
import { styleAt } from '../../source/terminal/output/cells.ts';
import { glyphsOf, gridFrom } from '../frame-text.ts';
import { runs } from '../properties/runs.ts';
import { styledText } from '../properties/styled-text.ts';
import { loadBoth } from './both.ts';

const rows = 30;

function createStream() {
	const stream = { columns: 40, rows, isTTY: true, write: () => true };
	return Object.assign(new EventEmitter(), stream) as unknown as NodeJS.WriteStream;
}

test('the size of a plain text is the size that Ink measures, and its text is the one that Ink would show', async () => {
	const { original } = await loadBoth<{ default: (node: object) => string }>(
		'ink/build/squash-text-nodes.js',
	);
	const replaced = (await import(
		/* @vite-ignore */ `${root}node_modules/ink/build/squash-text-nodes.js`
	)) as { default: (node: object) => string; plainSizeOf: (node: object) => object | undefined };
	const measure = (
		await loadBoth<{ default: (text: string) => object }>('ink/build/measure-text.js')
	).original.default;
	const part = fc.constantFrom(
		'',
		'a',
		'é',
		'日本',
		'👍',
		'\t',
		'\n',
		'\r\n',
		'\u009B31m',
		'\u0301',
	);
	const plain = fc.constantFrom('atlas', '  12%', '\u001B[32m● Active\u001B[39m');
	let plainCount = 0;
	fc.assert(
		fc.property(
			fc.array(fc.oneof(styledText({ maxLength: 8, hasLines: true }), part, plain, plain), {
				maxLength: 3,
			}),
			parts => {
				const nodeOf = () => ({
					nodeName: 'ink-text',
					childNodes: [{ nodeName: '#text', nodeValue: parts.join('') }],
				});
				const text = original.default(nodeOf());
				expect(replaced.default(nodeOf())).toBe(text);
				const size = replaced.plainSizeOf(nodeOf());
				if (size) expect(size).toEqual(measure(text));
				if (size) plainCount += 1;
			},
		),
		runs(300),
	);
	expect(plainCount).toBeGreaterThan(50);
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

test('a text has the background of the boxes around it, also in a box without a background', () => {
	const { level } = chalk;
	chalk.level = 1;
	onTestFinished(() => {
		chalk.level = level;
	});
	const inner = createElement(Box, {}, createElement(Text, {}, 'red'));
	const outer = createElement(
		Box,
		{ backgroundColor: 'red' },
		inner,
		createElement(Box, {}, inner),
	);
	const [line] = gridFrom(renderToString(outer))?.lines ?? [];
	if (!line) throw new Error('Ink drew no line');
	expect(glyphsOf(line).slice(0, 6).join('')).toBe('redred');
	const red = 1;
	const backgrounds = line.cells.slice(0, 6).map((_, x) => styleAt(line, x).background);
	expect(backgrounds).toEqual(Array(6).fill(red));
});
