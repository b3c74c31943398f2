import type { Span } from '../../lines/span.ts';
import type { Tone } from '../../lines/theme.ts';
import type { ExitSummary } from '../../operations/operations-state.ts';
import type { Confirmation } from '../look/screen.ts';
import { type BillingRequest, billingRequestTexts } from '../phrases/billing-request.ts';
import { commandsText } from '../phrases/outcome.ts';
import type { Scene } from '../scene.ts';
import { type Dialog, letterHints } from './dialog.ts';

type ConfirmationRow = {
	title: (account: string) => string;
	tone: Tone;
	lines: (summary: ExitSummary, confirmation: Confirmation) => readonly Span[];
	/** For a screen without room for all lines; by default, the lines may be cut. */
	short?: (summary: ExitSummary) => readonly Span[];
	/** Verbs in the third person. */
	accept: string;
	refuse?: string;
};

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
		short: ({ dropped }) => operationLines(sentByUnlocking, dropped),
		accept: 'unlocks',
	},
	removeAccount: {
		title: account => `Take ${account} out of the table?`,
		tone: 'busy',
		lines: ({ dropped, sent, running, unknown }) => [
			...operationLines('Cancelled:', dropped),
			...operationLines('Continues, but its outcome is not shown here:', [...sent, ...running]),
			...operationLines('Outcome still unknown:', unknown),
		],
		accept: 'takes it out',
	},
	signOut: {
		title: account => `Sign out of ${account}?`,
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
		short: ({ dropped }) => operationLines('Cancelled:', dropped),
		accept: 'signs out',
		refuse: 'stays signed in',
	},
	pay: billingRow('pay'),
	billing: billingRow('billing'),
};

const sentByUnlocking = 'Sent as soon as you unlock:';

function billingRow(request: BillingRequest): ConfirmationRow {
	const { title, lines, verbInHelp } = billingRequestTexts[request];
	const texts = lines.map((line): Span => [line]);
	return {
		title: () => title,
		tone: 'accent',
		lines: (_, { present, account }) => [
			...(present === undefined ? [] : [[present] as const]),
			...texts,
			...(account ? [[`Account ${account.name}`] as const] : []),
		],
		short: () => texts,
		accept: verbInHelp,
	};
}

export function confirmationDialog(
	confirmation: Confirmation,
	{ exitSummary, actions }: Pick<Scene, 'exitSummary' | 'actions'>,
): Dialog {
	const { about, account, equivalentCommand: command, openingKey } = confirmation;
	const { title, tone, lines, short, accept, refuse = 'cancels' } = confirmationTable[about];
	const summary = exitSummary(account?.key);
	const shown = lines(summary, confirmation);
	return {
		title: title(account?.name ?? 'the account'),
		tone,
		lines: shown,
		essential: short && { lineCount: shown.length, short: short(summary) },
		command,
		hints: letterHints(
			actions,
			openingKey,
			accept,
			refuse,
			command === undefined ? [] : [['copyCommand', 'copies the command']],
		),
	};
}

function operationLines(title: string, specs: ExitSummary['sent'], end = ''): readonly Span[] {
	if (specs.length === 0) return [];
	return [[title, 'strong'], [`${commandsText(specs)}${end}`]];
}
