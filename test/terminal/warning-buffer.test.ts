import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createWarningBuffer } from '../../source/terminal/process/streams.ts';

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

test('only the first 50 of endless warnings are kept', () => {
	const { printed, warnings, warn } = openWarnings();
	warnings.hold();
	for (let count = 0; count < 1000; count += 1) warn(String(count));
	warnings.release();
	expect(printed).toHaveLength(50);
});
