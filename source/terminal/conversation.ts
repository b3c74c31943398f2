import type { Clock } from '../fleet/clock.ts';
import type { createAnswers } from './answers.ts';
import type { createConditions } from './conditions.ts';
import type { Environment, Looks } from './environment.ts';
import type { Mouse, Report } from './input.ts';
import { isWidthRight, kittyKeys, questions, widthQuestion } from './modes.ts';

/** What depends on the conditions has been drawn again within this time. */
const redrawTime = 100;

/** What the terminal is asked when the screen is taken, and what becomes of its reports. */
export function createConversation(parts: {
	clock: Clock;
	environment: Environment;
	looks: Looks;
	conditions: Pick<ReturnType<typeof createConditions>, 'set'>;
	answers: Pick<ReturnType<typeof createAnswers>, 'begin' | 'end'>;
	say: (sequence: string) => void;
	redraw: () => void;
	onMouse: (mouse: Mouse) => void;
}) {
	const { clock, environment, looks, conditions, answers, say } = parts;
	const isAskingWidth = environment.hasUnicode && looks.hasUnicode === undefined;
	let hasKittyKeys = false;

	function measureWidth(x: number) {
		if (!isAskingWidth || isWidthRight(x)) return;
		conditions.set({ hasUnicode: false });
		// Signs of another width have moved what was drawn after them.
		clock.after(redrawTime, parts.redraw);
	}

	return {
		/** The console prints questions instead of answering them. */
		ask() {
			if (environment.isConsole) return;
			answers.begin();
			say((isAskingWidth ? widthQuestion : '') + questions);
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
