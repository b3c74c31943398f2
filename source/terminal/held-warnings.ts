import type { Program } from './shutdown.ts';

type Listener = (warning: Error) => void;

/** A program that warns all day must not grow by it. */
const mostKept = 50;

/**
 * Node prints its warnings wherever the cursor is, which on a taken screen moves every row. While they
 * are held they are kept, and Node prints them as always when they are let go.
 */
export function createHeldWarnings(program: Pick<Program, 'on' | 'off' | 'listeners'>) {
	let kept: Error[] = [];
	let printers: Listener[] | undefined;

	function keep(warning: Error) {
		if (kept.length < mostKept) kept.push(warning);
	}

	return {
		hold() {
			if (printers) return;
			// Where warnings are switched off there is no listener, and nothing to put back.
			printers = program.listeners('warning') as Listener[];
			for (const print of printers) program.off('warning', print);
			program.on('warning', keep);
		},
		release() {
			if (!printers) return;
			const [all, warnings] = [printers, kept];
			printers = undefined;
			kept = [];
			program.off('warning', keep);
			for (const print of all) program.on('warning', print);
			for (const warning of warnings) for (const print of all) print(warning);
		},
	};
}
