import type { Span } from '../../drawing/span.ts';
import type { Binding } from '../../keys/binding.ts';
import type { Tone } from '../../lines/theme.ts';
import type { ExitSummary } from '../../operations/operations-state.ts';
import type { Confirmation } from '../../screen/screen.ts';
import { type BillingRequest, billingRequestTexts } from '../phrases/billing-request-text.ts';
import { commandsText } from '../phrases/outcome-text.ts';
import type { Dialog } from './dialog-text.ts';
import { dialogHints } from './key-line.ts';

type ConfirmationRow = {
	title: (confirmation: Confirmation) => string;
	tone: Tone;
	lines: (summary: ExitSummary, confirmation: Confirmation) => readonly Span[];
	/** What a screen without room for all lines has to show; by default, the lines may be cut. */
	shortLines?: (summary: ExitSummary) => readonly Span[];
	/** The effects of the keys that confirm and refuse, as verbs in the third person. */
	accept: string;
	refuse?: string;
};

/** THE table of questions that concern no computer. */
const confirmationTable: Readonly<Record<Confirmation['about'], ConfirmationRow>> = {
	leave: {
		title: () => 'Quit now?',
		tone: 'busy',
		// Only the operations that quitting cancels depend on the answer, so they come first.
		lines: ({ dropped, running, sent, unknown }) => [
			...operationLines('Quitting cancels:', dropped, ' (on hold)'),
			...operationLines('Quitting ends the command:', running),
			...operationLines('Continues after quitting:', sent),
			...operationLines('Outcome still unknown:', unknown),
		],
		accept: 'quits',
		refuse: 'stays',
	},
	unlock: {
		title: () => 'Unlock?',
		tone: 'busy',
		lines: ({ dropped }) => [
			['Still watching. Nothing can be changed until you unlock.'],
			...operationLines(sentByUnlocking, dropped),
		],
		shortLines: ({ dropped }) => operationLines(sentByUnlocking, dropped),
		accept: 'unlocks',
	},
	/** Whether to take an account with unsettled operations out of the table. */
	removeAccount: {
		title: ({ account }) => `Take ${account?.name ?? 'the account'} out of the table?`,
		tone: 'busy',
		lines: ({ dropped, sent, running, unknown }) => [
			...operationLines('Cancelled:', dropped),
			...operationLines('Continues, but its outcome is not shown here:', [...sent, ...running]),
			...operationLines('Outcome still unknown:', unknown),
		],
		accept: 'takes it out',
	},
	/** Whether to sign out of an account, whose rows stay in the table. */
	signOut: {
		title: ({ account }) => `Sign out of ${account?.name ?? 'the account'}?`,
		tone: 'busy',
		lines: ({ dropped, sent, unknown }, { present }) => [
			['Its stored token is removed. Its rows stay, but get no new data.'],
			...(present === undefined ? [] : [[present] as const]),
			...operationLines('Cancelled:', dropped),
			...operationLines('Continues; its outcome shows after the next sign-in:', [
				...sent,
				...unknown,
			]),
		],
		shortLines: ({ dropped }) => operationLines('Cancelled:', dropped),
		accept: 'signs out',
		refuse: 'stays signed in',
	},
	pay: billingRow('pay'),
	billing: billingRow('billing'),
};

const sentByUnlocking = 'Sent as soon as you unlock:';

function billingRow(request: BillingRequest): ConfirmationRow {
	const { title, lines, verbInHelp } = billingRequestTexts[request];
	return {
		title: () => title,
		tone: 'accent',
		lines: (_, { present, account }) => [
			...(present === undefined ? [] : [[present] as const]),
			...lines.map((line): Span => [line]),
			...(account ? [[`Account ${account.name}`] as const] : []),
		],
		shortLines: () => lines.map((line): Span => [line]),
		accept: verbInHelp,
	};
}

/** Builds the dialog for a question that concerns no computer, such as the question whether to quit. */
export function confirmationDialog(
	confirmation: Confirmation,
	exitSummary: ExitSummary,
	bindings: readonly Binding[],
): Dialog {
	const { about, equivalentCommand: command, openingKey } = confirmation;
	const { title, tone, lines, shortLines, accept, refuse } = confirmationTable[about];
	const shown = lines(exitSummary, confirmation);
	return {
		title: title(confirmation),
		tone,
		lines: shown,
		...(shortLines && {
			essential: { lineCount: shown.length, short: shortLines(exitSummary) },
		}),
		prompt: [],
		commands: command === undefined ? undefined : [command],
		hints: dialogHints(bindings, {
			answeredBy: 'letter',
			openingKey,
			accept,
			copiesCommand: command !== undefined,
			...(refuse !== undefined && { refuse }),
		}),
	};
}

function operationLines(title: string, specs: ExitSummary['sent'], end = ''): readonly Span[] {
	if (specs.length === 0) return [];
	return [[title, 'strong'], [`${commandsText(specs)}${end}`]];
}
