import type { StoreApi } from 'zustand/vanilla';
import type { Clock } from '../../foundation/clock.ts';
import type { MouseInput, Report } from '../input/input.ts';
import type { Environment, TerminalPreferences } from './environment.ts';
import { isExpectedWidth, kittyKeyMode, terminalQueries, widthQuery } from './modes.ts';
import type { TerminalState } from './terminal-state.ts';

/** After the state has changed to ASCII, the program draws its next frame within this time. */
const redrawDelayMs = 100;

export function createTerminalQuerying(options: {
	clock: Clock;
	environment: Environment;
	preferences: TerminalPreferences;
	state: Pick<StoreApi<TerminalState>, 'setState'>;
	replies: Pick<ReturnType<typeof createPendingReplies>, 'begin' | 'end'>;
	write: (sequence: string) => void;
	redraw: () => void;
	onMouse: (mouse: MouseInput) => void;
}) {
	const { clock, environment, preferences, state, replies, write } = options;
	const asksWidth = environment.hasUnicode && preferences.hasUnicode === undefined;
	let hasKittyKeys = false;

	function checkWidth(x: number) {
		if (!asksWidth || isExpectedWidth(x)) return;
		state.setState({ hasUnicode: false });
		// Glyphs of an unexpected width have shifted the cells after them, so every cell is drawn again.
		clock.after(redrawDelayMs, options.redraw);
	}

	return {
		/** The Linux console would print the queries. */
		send() {
			if (environment.printsUnknownSequences) return;
			replies.begin();
			write((asksWidth ? widthQuery : '') + terminalQueries);
		},
		receive(report: Report) {
			if (report.kind === 'focus')
				state.setState({ isFocused: report.isFocused, reportsFocus: true });
			else if (report.kind === 'name') state.setState({ name: report.name });
			else if (report.kind === 'background') {
				state.setState({ background: preferences.background ?? report.background });
			} else if (report.kind === 'cursor') checkWidth(report.x);
			else if (report.kind === 'attributes') replies.end();
			else if (report.kind === 'mouse') options.onMouse(report.mouse);
			else if (!hasKittyKeys) {
				hasKittyKeys = true;
				write(kittyKeyMode.enableSequence);
			}
		},
		modes: () => (hasKittyKeys ? [kittyKeyMode] : []),
	};
}

const replyTimeoutMs = 3000;

/** The shell would read later replies as typed keys. */
const exitReplyTimeoutMs = 150;

export function createPendingReplies(clock: Clock) {
	let pendingUntil = Number.NEGATIVE_INFINITY;
	let onEnd = () => {};
	const arePending = () => clock.now() < pendingUntil;

	return {
		arePending,
		begin() {
			pendingUntil = clock.now() + replyTimeoutMs;
		},
		end() {
			pendingUntil = Number.NEGATIVE_INFINITY;
			onEnd();
		},
		done(): Promise<void> {
			if (!arePending()) return Promise.resolve();
			return new Promise(resolve => {
				onEnd = resolve;
				clock.after(exitReplyTimeoutMs, resolve);
			});
		},
	};
}
