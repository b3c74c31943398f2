import type { Clock } from '../fleet/clock.ts';
import type { Environment, TerminalPreferences } from './environment.ts';
import type { Mouse, Report } from './input.ts';
import { isExpectedWidth, kittyKeys, queries, widthQuery } from './modes.ts';
import type { createTerminalState } from './terminal-state.ts';

/** The program has drawn in ASCII within this time after the state changed. */
const redrawDelay = 100;

/** Asks the terminal about itself when the screen is taken, and handles its replies and reports. */
export function createQueries(options: {
	clock: Clock;
	environment: Environment;
	preferences: TerminalPreferences;
	state: Pick<ReturnType<typeof createTerminalState>, 'set'>;
	replies: Pick<ReturnType<typeof createPendingReplies>, 'begin' | 'end'>;
	write: (sequence: string) => void;
	redraw: () => void;
	onMouse: (mouse: Mouse) => void;
}) {
	const { clock, environment, preferences, state, replies, write } = options;
	const asksWidth = environment.hasUnicode && preferences.hasUnicode === undefined;
	let hasKittyKeys = false;

	function checkWidth(x: number) {
		if (!asksWidth || isExpectedWidth(x)) return;
		state.set({ hasUnicode: false });
		// Glyphs of another width have shifted the cells after them, so every cell is drawn again.
		clock.after(redrawDelay, options.redraw);
	}

	return {
		/** Sends nothing to the Linux console, which would print the queries. */
		send() {
			if (environment.isConsole) return;
			replies.begin();
			write((asksWidth ? widthQuery : '') + queries);
		},
		receive(report: Report) {
			if (report.kind === 'focus') state.set({ isFocused: report.isFocused });
			else if (report.kind === 'name') state.set({ name: report.name });
			else if (report.kind === 'background') {
				state.set({ background: preferences.background ?? report.background });
			} else if (report.kind === 'cursor') checkWidth(report.x);
			else if (report.kind === 'attributes') replies.end();
			else if (report.kind === 'mouse') options.onMouse(report.mouse);
			else if (!hasKittyKeys) {
				hasKittyKeys = true;
				write(kittyKeys.set);
			}
		},
		/** The modes that the terminal said it knows, to be set each time that the screen is taken. */
		modes: () => (hasKittyKeys ? [kittyKeys] : []),
	};
}

/** Replies that take longer are not waited for. */
const replyTime = 3000;

/** At exit the program waits this long for replies: the shell would take later ones for typed text. */
const replyTimeAtExit = 150;

/** Knows whether the terminal still owes replies. */
export function createPendingReplies(clock: Clock) {
	let pendingUntil = Number.NEGATIVE_INFINITY;
	let onEnd = () => {};
	const arePending = () => clock.now() < pendingUntil;

	return {
		arePending,
		/** The queries were sent. */
		begin() {
			pendingUntil = clock.now() + replyTime;
		},
		/** The last reply came. */
		end() {
			pendingUntil = Number.NEGATIVE_INFINITY;
			onEnd();
		},
		/** Resolves with the last reply, or after a short wait without it. */
		done(): Promise<void> {
			if (!arePending()) return Promise.resolve();
			return new Promise(resolve => {
				onEnd = resolve;
				clock.after(replyTimeAtExit, resolve);
			});
		},
	};
}
