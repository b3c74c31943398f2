import type { Section } from '../../drawing/section.ts';
import type { Span } from '../../drawing/span.ts';
import type { Runway } from '../../fleet/computers/runway.ts';
import type { CompletedWord } from '../../foundation/term-completion.ts';
import type { Theme } from '../../lines/theme.ts';
import type { CommandRun } from '../../operations/command-runner.ts';
import type { Operations } from '../../operations/operations.ts';
import type { WaitReasonOf } from '../../operations/waiting.ts';
import type { Choice } from '../../screen/choice.ts';
import type { Screen } from '../../screen/screen.ts';
import type { TypedLine } from '../../screen/typed-line.ts';
import { createOwnEmailsSelector, type OpenedAccount } from '../../store/opened-accounts.ts';
import type { JointAccount } from '../../store/state.ts';
import { createDetailSelectors, type DetailSelectors } from './detail-selectors.ts';
import { createLogFilter } from './log-filter.ts';
import { createLogLines } from './log-lines.ts';
import {
	createLogCompleter,
	type LogLineFormatter,
	logChoices,
	logCompletions,
	logLineSpans,
	logSections,
	logTitle,
} from './log-view.ts';
import { outputSections, outputTitle } from './output-text.ts';
import { createUnderWay } from './under-way.ts';

/** Functions that compute values for the views, and keep each result until their input changes. */
export type ViewSelectors = {
	detail: DetailSelectors;
	logOf: ReturnType<typeof createLogFilter>;
	underWayOf: ReturnType<typeof createUnderWay>;
	logLinesOf: ReturnType<typeof createLogLines>;
	logCompleterOf: ReturnType<typeof createLogCompleter>;
	ownEmailsOf: ReturnType<typeof createOwnEmailsSelector>;
	/** Formats the lines of the log. Speech has other words than the screen. */
	logLineSpans: LogLineFormatter;
};

export function createViewSelectors(): ViewSelectors {
	return {
		detail: createDetailSelectors(),
		logOf: createLogFilter(),
		underWayOf: createUnderWay(),
		logLinesOf: createLogLines(),
		logCompleterOf: createLogCompleter(),
		ownEmailsOf: createOwnEmailsSelector(),
		logLineSpans,
	};
}

export type ViewTextOptions = ViewSelectors &
	Pick<Screen, 'filters' | 'orderings' | 'payment' | 'viewCursors' | 'unfoldedIds'> & {
		/** The joint state of all accounts. */
		account: JointAccount;
		accounts: readonly OpenedAccount[];
		runway: Runway | null;
		waitingFor: WaitReasonOf;
		estimateTimeLeft: Operations['estimateTimeLeft'];
		/** The own commands whose output is shown. */
		commandRuns: readonly CommandRun[];
		/** Whether a person can cancel operations here. */
		canChange: boolean;
		width: number;
		lines: number;
		now: number;
		theme: Theme;
	};

type ViewText = {
	/** Returns the left and the right end of the first line, which does not scroll. */
	title: (options: ViewTextOptions) => readonly [left: readonly Span[], right: readonly Span[]];
	sections: (options: ViewTextOptions) => readonly Section[];
	/** Returns the lines that the cursor can choose, which are in the block with the cursor. */
	choices?: (options: ViewTextOptions) => readonly Choice[];
	/** Returns a function that completes the word at the caret of the view's filter. */
	completions?: (options: ViewTextOptions) => (line: TypedLine) => CompletedWord;
	/** The order of the lines. It is spoken after the title, because a listener cannot see it. */
	spokenOrder?: string;
};

/** The text of each view that is not the table of computers, for the screen, the ear and a pipe. */
export const viewTexts: Readonly<Record<'log' | 'output', ViewText>> = {
	//  Log                                                                     212 entries
	// ❯ 08:14:09 ● borealis: creating → active in 48 s
	//   08:12:31   eridanus: stopped by you in 9 s
	//   08:05:12   you stopped 16 computers (altair, altair-3 …) in 31 s ▸
	log: {
		title: logTitle,
		sections: logSections,
		choices: logChoices,
		completions: logCompletions,
		spokenOrder: 'newest first',
	},

	//  Output                                                        1 running, 1 ended
	//  ─ ping on atlas ───────────────────────────── ended with code 7 after 2.4 s ─
	//   no route to host
	//  ─ ping on nova ──────────────────────────────────────────── running for 3 s ─
	output: { title: outputTitle, sections: outputSections },
};
