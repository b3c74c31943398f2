import type { ConsoleMethod, Program } from './shutdown.ts';

type Listener = (warning: Error) => void;

/** A program that prints all day must not use more and more memory. */
const mostKept = 50;

/**
 * Node prints its warnings wherever the cursor is, which would shift the rows of a taken screen. Held
 * warnings are kept and printed by Node's own listeners on release.
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
			// With --no-warnings there is no listener, and nothing to restore.
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

const toScreen: readonly ConsoleMethod[] = ['log', 'info', 'debug'];
const toErrors: readonly ConsoleMethod[] = ['warn', 'error', 'trace'];

/**
 * A dependency may print to the console, which would move every row of a taken screen as well. While the
 * console is held, what it is given is kept, and it is printed when the console is released.
 */
export function createHeldConsole(console: Program['console'], hasErrorsOnScreen: boolean) {
	const methods = hasErrorsOnScreen ? [...toScreen, ...toErrors] : toScreen;
	let kept: (() => void)[] = [];
	let originals: Pick<Console, ConsoleMethod> | undefined;

	return {
		hold() {
			if (!console || originals) return;
			const { log, info, debug, warn, error, trace } = console;
			const printers = { log, info, debug, warn, error, trace };
			originals = printers;
			for (const method of methods) {
				const print: (...values: unknown[]) => void = printers[method];
				console[method] = (...values: unknown[]) => {
					if (kept.length < mostKept) kept.push(() => print(...values));
				};
			}
		},
		release() {
			if (!console || !originals) return;
			Object.assign(console, originals);
			const prints = kept;
			originals = undefined;
			kept = [];
			for (const print of prints) print();
		},
	};
}
