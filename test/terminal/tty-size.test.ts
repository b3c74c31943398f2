import { expect, test } from 'vitest';
import { createTty } from '../../source/terminal/process/tty.ts';
import type { Program } from '../../source/terminal/terminal.ts';

test.each([
	[[65_535, 24], { columns: 1_000, rows: 24 }],
	[[10_000, 10_000], { columns: 1_000, rows: 500 }],
	[[0, 0], { columns: 80, rows: 24 }],
])('a terminal that claims the size %j gets a screen of %j', (claimed, size) => {
	const stdout = { getWindowSize: () => claimed };
	const program = { stdin: {}, stdout, stderr: {} } as unknown as Program;
	expect(createTty(program, () => {}).size()).toEqual(size);
});
