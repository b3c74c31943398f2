import type { Span } from '../../drawing/span.ts';
import type { Binding } from '../../keys/binding.ts';
import type { ExitSummary } from '../../operations/operations-state.ts';
import type { Confirmation } from '../../screen/screen.ts';
import { billingRequestTexts } from '../phrases/billing-request-text.ts';
import { commandsText } from '../phrases/outcome-text.ts';
import type { Dialog } from './dialog-text.ts';
import { dialogHints } from './key-line.ts';

/** Returns the title of a question that concerns no computer. */
export function confirmationTitle({ about, account }: Confirmation): string {
	switch (about) {
		case 'leave':
			return 'Quit now?';
		case 'unlock':
			return 'Unlock?';
		case 'removeAccount':
			return `Take ${account?.name ?? 'the account'} out of the table?`;
		default:
			return billingRequestTexts[about].title;
	}
}

/** Confirms that a question that concerns no computer was closed without a yes, and says what was not done. */
export function closedConfirmationText({ about, account }: Confirmation): string {
	switch (about) {
		case 'leave':
			return 'Closed: crowsnest goes on';
		case 'unlock':
			return 'Closed: crowsnest stays locked';
		case 'removeAccount':
			return `Closed: ${account?.name ?? 'the account'} stays in the table`;
		default:
			return `Closed: ${billingRequestTexts[about].notDone}`;
	}
}

/** Builds the dialog for a question that concerns no computer, such as the question whether to quit. */
export function confirmationDialog(
	confirmation: Confirmation,
	exitSummary: ExitSummary,
	bindings: readonly Binding[],
): Dialog {
	const { about, equivalentCommand: command, openingKey, account, present } = confirmation;
	if (about === 'leave') return quitDialog(confirmation, exitSummary, bindings);
	if (about === 'removeAccount') return removeAccountDialog(confirmation, exitSummary, bindings);
	const title = confirmationTitle(confirmation);
	const yes = about === 'unlock' ? 'unlocks' : billingRequestTexts[about].verbInHelp;
	const answering = {
		prompt: [],
		commands: command === undefined ? undefined : [command],
		hints: dialogHints(bindings, {
			answeredBy: 'letter',
			...{ openingKey, accept: yes, copiesCommand: command !== undefined },
		}),
	};
	if (about !== 'unlock') {
		const { lines } = billingRequestTexts[about];
		const accountLine = account ? [`Account ${account.name}`] : [];
		const presentLine = present === undefined ? [] : [present];
		const spans = [...presentLine, ...lines, ...accountLine].map((line): Span => [line]);
		const essential = { lineCount: spans.length, short: lines.map((line): Span => [line]) };
		return { title, tone: 'accent', lines: spans, essential, ...answering };
	}
	const line: Span = ['Still watching. Nothing can be changed until you unlock.'];
	const sent = operationLines('Sent as soon as you unlock:', exitSummary.dropped);
	const essential = { lineCount: 1 + sent.length, short: sent };
	return { title, tone: 'busy', lines: [line, ...sent], essential, ...answering };
}

/**
 * Builds the dialog that asks whether to quit. The operations that quitting cancels come first, because
 * only they depend on the answer.
 */
function quitDialog(
	confirmation: Confirmation,
	{ sent, running, unknown, dropped }: ExitSummary,
	bindings: readonly Binding[],
): Dialog {
	return {
		title: confirmationTitle(confirmation),
		tone: 'busy',
		lines: [
			...operationLines('Quitting cancels:', dropped, ' (on hold)'),
			...operationLines('Quitting ends the command:', running),
			...operationLines('Continues after quitting:', sent),
			...operationLines('Outcome still unknown:', unknown),
		],
		prompt: [],
		hints: dialogHints(bindings, {
			answeredBy: 'letter',
			...{ openingKey: confirmation.openingKey, accept: 'quits', refuse: 'stays' },
		}),
	};
}

/** Builds the dialog that asks whether to take an account with unsettled operations out of the table. */
function removeAccountDialog(
	confirmation: Confirmation,
	{ sent, running, unknown, dropped }: ExitSummary,
	bindings: readonly Binding[],
): Dialog {
	return {
		title: confirmationTitle(confirmation),
		tone: 'busy',
		lines: [
			...operationLines('Cancelled:', dropped),
			...operationLines('Continues, but its outcome is not shown here:', [...sent, ...running]),
			...operationLines('Outcome still unknown:', unknown),
		],
		prompt: [],
		hints: dialogHints(bindings, {
			answeredBy: 'letter',
			...{ openingKey: confirmation.openingKey, accept: 'takes it out' },
		}),
	};
}

function operationLines(title: string, specs: ExitSummary['sent'], end = ''): readonly Span[] {
	if (specs.length === 0) return [];
	return [[title, 'strong'], [`${commandsText(specs)}${end}`]];
}
