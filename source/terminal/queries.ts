import type { Clock } from '../fleet/clock.ts';
import type { Environment, TerminalPreferences } from './environment.ts';
import type { Mouse, Report } from './input.ts';
import { isExpectedWidth, kittyKeys, queries, widthQuery } from './modes.ts';
import type { createTerminalState } from './terminal-state.ts';

/** What depends on the conditions has been drawn again within this time. */
const redrawDelay = 100;

/** What the terminal is asked when the screen is taken, and what becomes of its reports. */
export function createQueries(parts: {
	clock: Clock;
	environment: Environment;
	looks: TerminalPreferences;
	conditions: Pick<ReturnType<typeof createTerminalState>, 'set'>;
	answers: Pick<ReturnType<typeof createPendingReplies>, 'begin' | 'end'>;
	say: (sequence: string) => void;
	redraw: () => void;
	onMouse: (mouse: Mouse) => void;
}) {
	const { clock, environment, looks, conditions, answers, say } = parts;
	const asksWidth = environment.hasUnicode && looks.hasUnicode === undefined;
	let hasKittyKeys = false;

	function measureWidth(x: number) {
		if (!asksWidth || isExpectedWidth(x)) return;
		conditions.set({ hasUnicode: false });
		// Signs of another width have moved what was drawn after them.
		clock.after(redrawDelay, parts.redraw);
	}

	return {
		/** The console prints questions instead of answering them. */
		ask() {
			if (environment.isConsole) return;
			answers.begin();
			say((asksWidth ? widthQuery : '') + queries);
		},
		receive(report: Report) {
			if (report.kind === 'focus') conditions.set({ isFocused: report.isFocused });
			else if (report.kind === 'name') conditions.set({ name: report.name });
			else if (report.kind === 'background') {
				conditions.set({ background: looks.background ?? report.background });
			} else if (report.kind === 'cursor') measureWidth(report.x);
			else if (report.kind === 'attributes') answers.end();
			else if (report.kind === 'mouse') parts.onMouse(report.mouse);
			else if (!hasKittyKeys) {
				hasKittyKeys = true;
				say(kittyKeys.set);
			}
		},
		/** The modes that its reports made possible, to be set each time that the screen is taken. */
		modes: () => (hasKittyKeys ? [kittyKeys] : []),
	};
}

/** How long answers of the terminal may take. */
const replyTime = 3000;

/** … and how long the end waits for them, lest they are typed into the shell. */
const replyTimeAtExit = 150;

/** Whether answers to what the terminal was asked are on their way. */
export function createPendingReplies(clock: Clock) {
	let awaitingUntil = Number.NEGATIVE_INFINITY;
	let onEnd = () => {};
	const isAwaiting = () => clock.now() < awaitingUntil;

	return {
		isAwaiting,
		/** The terminal was asked. */
		begin() {
			awaitingUntil = clock.now() + replyTime;
		},
		/** The last one came. */
		end() {
			awaitingUntil = Number.NEGATIVE_INFINITY;
			onEnd();
		},
		/** Resolves at once when nothing is awaited, and soon in any case. */
		over(): Promise<void> {
			if (!isAwaiting()) return Promise.resolve();
			return new Promise(resolve => {
				onEnd = resolve;
				clock.after(replyTimeAtExit, resolve);
			});
		},
	};
}
