import type { Span } from '../../lines/span.ts';
import type { Tone } from '../../lines/theme.ts';
import type { ExitSummary } from '../../operations/operations-state.ts';
import type { Confirmation } from '../look/screen.ts';
import { billingRequestTexts } from '../phrases/billing.ts';
import { commandsText } from '../phrases/outcome.ts';
import type { Scene } from '../scene.ts';
import { type Dialog, letterHints } from './dialog.ts';

type Content = {
	title: string;
	tone?: Tone;
	lines: readonly Span[];
	/** For a screen without room for all lines; without it, the lines may be cut. */
	short?: readonly Span[];
	/** Verbs in the third person. */
	accept: string;
	refuse?: string;
};

export function confirmationDialog(
	confirmation: Confirmation,
	{ exitSummary, actions }: Pick<Scene, 'exitSummary' | 'actions'>,
): Dialog {
	const { account, equivalentCommand: command, openingKey } = confirmation;
	const content = contentOf(confirmation, exitSummary(account?.key));
	const { title, tone = 'busy', lines, short, accept, refuse = 'cancels' } = content;
	const copy = command === undefined ? [] : [['copyCommand', 'copies the command'] as const];
	return {
		title,
		tone,
		lines,
		essential: short && { lineCount: lines.length, short },
		command,
		hints: letterHints(actions, openingKey, accept, refuse, copy),
	};
}

function contentOf(
	{ about, account, present }: Confirmation,
	{ dropped, running, sent, unknown }: ExitSummary,
): Content {
	const name = account?.name ?? 'the account';
	const presentLines: readonly Span[] = present === undefined ? [] : [[present]];
	switch (about) {
		case 'leave':
			return {
				title: 'Quit now?',
				// Only the operations that quitting cancels depend on the answer, so they come first.
				lines: [
					...operationLines('Quitting cancels:', dropped, ' (on hold)'),
					...operationLines('Quitting ends the command:', running),
					...operationLines('Continues after quitting:', sent),
					...operationLines('Outcome still unknown:', unknown),
				],
				accept: 'quits',
				refuse: 'stays',
			};
		case 'unlock': {
			const short = operationLines('Sent as soon as you unlock:', dropped);
			const watching: Span = ['Still watching. Nothing can be changed until you unlock.'];
			return { title: 'Unlock?', lines: [watching, ...short], short, accept: 'unlocks' };
		}
		case 'removeAccount':
			return {
				title: `Take ${name} out of the table?`,
				lines: [
					...operationLines('Cancelled:', dropped),
					...operationLines('Continues, but its outcome is not shown here:', [...sent, ...running]),
					...operationLines('Outcome still unknown:', unknown),
				],
				accept: 'takes it out',
			};
		case 'signOut': {
			const short = operationLines('Cancelled:', dropped);
			const continues = 'Continues; its outcome shows after the next sign-in:';
			return {
				title: `Sign out of ${name}?`,
				lines: [
					['Its stored token is removed. Its rows stay, but get no new data.'],
					...presentLines,
					...short,
					...operationLines(continues, [...sent, ...unknown]),
				],
				short,
				accept: 'signs out',
				refuse: 'stays signed in',
			};
		}
		case 'pay':
		case 'billing': {
			const { title, lines, verbInHelp } = billingRequestTexts[about];
			const short = lines.map((line): Span => [line]);
			const accountLines: readonly Span[] = account ? [[`Account ${account.name}`]] : [];
			const all = [...presentLines, ...short, ...accountLines];
			return { title, tone: 'accent', lines: all, short, accept: verbInHelp };
		}
	}
}

function operationLines(title: string, specs: ExitSummary['sent'], end = ''): readonly Span[] {
	return specs.length === 0 ? [] : [[title, 'strong'], [`${commandsText(specs)}${end}`]];
}
