import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import {
	createConsoleBuffer,
	createWarningBuffer,
} from '../../../source/terminal/process/streams.ts';

function openWarnings() {
	const program = new EventEmitter() as EventEmitter & Pick<NodeJS.Process, 'listeners'>;
	const printed: string[] = [];
	const print = ({ message }: Error) => printed.push(message);
	program.on('warning', print);
	const warnings = createWarningBuffer(program as unknown as NodeJS.Process);
	return {
		program,
		printed,
		warnings,
		warn: (text: string) => program.emit('warning', new Error(text)),
	};
}

test('held warnings are printed once and in order when they are released', () => {
	const { printed, warnings, warn } = openWarnings();
	warnings.hold();
	warnings.hold();
	warn('one');
	warn('two');
	expect(printed).toEqual([]);
	warnings.release();
	warnings.release();
	expect(printed).toEqual(['one', 'two']);
	warn('three');
	expect(printed).toEqual(['one', 'two', 'three']);
});

test('only the first 50 of endless warnings are kept', () => {
	const { printed, warnings, warn } = openWarnings();
	warnings.hold();
	for (let count = 0; count < 1000; count += 1) warn(String(count));
	warnings.release();
	expect(printed).toHaveLength(50);
});

test('held console output is printed in order on release, and error output to a file is printed at once', () => {
	const printed: unknown[] = [];
	const console = Object.fromEntries(
		['log', 'info', 'debug', 'warn', 'error', 'trace'].map(method => [
			method,
			(text: unknown) => printed.push(text),
		]),
	) as unknown as Console;
	const held = createConsoleBuffer(console, true);
	held.hold();
	held.hold();
	console.log('one');
	console.error('two');
	expect(printed).toEqual([]);
	held.release();
	held.release();
	console.warn('three');
	expect(printed).toEqual(['one', 'two', 'three']);
	createConsoleBuffer(console, false).hold();
	console.error('to a file');
	console.log('to the screen');
	expect(printed.at(-1)).toBe('to a file');
});
