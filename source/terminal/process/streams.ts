import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import type { Clock } from '../../foundation/clock.ts';
import { createListeners } from '../../foundation/listeners.ts';
import type { ConsoleMethod, Program } from './shutdown.ts';

export type TerminalInput = { key: string } | { paste: string };

/** What was sent before anyone listened is handed to the first listener. */
export function createInputEvents() {
	const listeners = createListeners<TerminalInput>();
	let early: TerminalInput[] = [];
	return {
		notify(input: TerminalInput) {
			if (listeners.isEmpty()) early.push(input);
			else listeners.notify(input);
		},
		subscribe(listener: (input: TerminalInput) => void) {
			const unsubscribe = listeners.subscribe(listener);
			queueMicrotask(() => {
				const waiting = early;
				early = [];
				for (const input of waiting) listener(input);
			});
			return unsubscribe;
		},
	};
}

export const silentInput = new EventEmitter() as NodeJS.ReadStream;

const interrupt = 'ctrl-c';

/** A key this soon after a dropped one belongs to what was being typed. */
const typingPauseMs = 300;

/**
 * Drops the keys that were pressed before the program had shown anything, and what follows them without a pause: the end of a
 * word must not act as keys. They may wait in the terminal until the program first reads, so the gate opens a turn later.
 */
export function createKeyGate(clock: Clock) {
	let state: 'closed' | 'opening' | 'open' = 'closed';
	let droppedAt = Number.NEGATIVE_INFINITY;
	const finish = () => {
		state = 'open';
	};
	return {
		lets(input: TerminalInput) {
			if ('key' in input && input.key === interrupt) return true;
			const now = clock.monotonic();
			if (state === 'open' && now - droppedAt >= typingPauseMs) return true;
			droppedAt = now;
			return false;
		},
		open() {
			if (state !== 'closed') return;
			state = 'opening';
			clock.after(0, () => clock.after(0, finish));
		},
	};
}

/** If error output has more characters than this, only its end is kept. */
const maxBufferedLength = 20_000;

/** Stands for stderr. What is written while the screen is taken is printed when it has been given back. */
export function createErrorStream(target: NodeJS.WriteStream, isScreenTaken: () => boolean) {
	let kept = '';
	const stream = new Writable({
		decodeStrings: false,
		write(written: string, _, done) {
			if (isScreenTaken() && target.isTTY)
				kept = (kept + String(written)).slice(-maxBufferedLength);
			else target.write(written);
			done();
		},
	});

	return {
		stream: stream as unknown as NodeJS.WriteStream,
		take() {
			const text = kept;
			kept = '';
			return text;
		},
	};
}

type WarningListener = (warning: Error) => void;

/** A dependency that prints all day must not fill the memory, so messages beyond this number are dropped. */
const maxHeldMessages = 50;

/** Node prints a warning at the position of the cursor, which would shift the rows of our screen. */
export function createWarningBuffer(program: Pick<Program, 'on' | 'off' | 'listeners'>) {
	let kept: Error[] = [];
	let printers: WarningListener[] | undefined;

	function keep(warning: Error) {
		if (kept.length < maxHeldMessages) kept.push(warning);
	}

	return {
		hold() {
			if (printers) return;
			// With --no-warnings Node has no listener for warnings, so there is nothing to restore.
			printers = program.listeners('warning') as WarningListener[];
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

const outputMethods: readonly ConsoleMethod[] = ['log', 'info', 'debug'];
const errorMethods: readonly ConsoleMethod[] = ['warn', 'error', 'trace'];

/** A dependency may print to the console, which would shift the rows of our screen as well. */
export function createConsoleBuffer(console: Program['console'], isStderrTerminal: boolean) {
	const methods = isStderrTerminal ? [...outputMethods, ...errorMethods] : outputMethods;
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
					if (kept.length < maxHeldMessages) kept.push(() => print(...values));
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
