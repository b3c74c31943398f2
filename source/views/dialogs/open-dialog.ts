import type { PasswordPrompt } from '../../foundation/sign-in.ts';
import type { Span } from '../../lines/span.ts';
import type { Tone } from '../../lines/theme.ts';
import type { ExitSummary } from '../../operations/operations-state.ts';
import type { Confirmation } from '../look/screen.ts';
import { maskedLine, type TypedLine } from '../look/typed-line.ts';
import { paletteBox } from '../palette.ts';
import { billingRequestTexts } from '../phrases/billing.ts';
import { commandsText } from '../phrases/outcome.ts';
import { capitalized, signInAttemptText } from '../phrases/words.ts';
import type { Scene } from '../scene.ts';
import { columnsBox } from './columns.ts';
import { type Box, type Dialog, dialogBox, keyHints, letterHints } from './dialog.ts';
import type { OpenDialog } from './dialog-table.ts';
import { questionDialog } from './question.ts';
import { signInBox } from './sign-in-form.ts';

/** Undefined for a menu or a field without a box of its own, and for the help. */
export function openBox(open: OpenDialog, scene: Scene): Box | undefined {
	if (open.kind === 'signIn') return signInBox(open.form, scene);
	if (open.kind === 'palette') return paletteBox(open.entry, scene);
	if (open.kind === 'columns') return columnsBox(open, scene);
	const dialog = openDialogText(open, scene);
	return dialog && dialogBox(dialog, scene.layout);
}

/** Undefined for what is not made of sentences. */
export function openDialogText(open: OpenDialog, scene: Scene): Dialog | undefined {
	switch (open.kind) {
		case 'confirmation':
			return confirmationDialog(open.confirmation, scene);
		case 'password':
			return passwordDialog(open.prompt, open.entry.line, scene);
		case 'question':
			return questionDialog(open, scene);
		case 'welcome':
			return welcomeDialog(scene);
		default:
			return undefined;
	}
}

function passwordDialog(prompt: PasswordPrompt, typed: TypedLine, { actions, now }: Scene): Dialog {
	const { profile, email, host, hasCommand, problem, refusedCount = 0, refusedAt = now } = prompt;
	const attempt = problem && signInAttemptText(problem, refusedCount, refusedAt, now);
	const runsCommand = ['passwordCommand', 'runs the password command.'] as const;
	return {
		title: `Sign in to ${profile ?? host}`,
		tone: 'accent',
		lines: [
			[`${email} at ${host}. The password is sent there once and never stored.`],
			...(attempt ? [[`${capitalized(attempt)}.`, 'bad'] as const] : []),
			...keyHints(actions, hasCommand ? [runsCommand] : []).map((hint): Span => [hint]),
		],
		prompt: [['Password: ']],
		typed: maskedLine(typed),
		hints: keyHints(actions, [
			['submit', 'signs in'],
			['closeDialog', 'stays signed out'],
		]),
	};
}

const welcomeDialog = ({ actions }: Scene): Dialog => ({
	title: 'Welcome to crowsnest',
	tone: 'accent',
	lines: [
		[
			'Watch a fleet of cloud computers: what each one is doing, how old the data is, ' +
				'and one key for every operation.',
		],
		['No account is set up yet. This is a demo: break whatever you like.', 'faint'],
		...keyHints(actions, [
			// In the demo, the cursor begins on a computer in error, which only a restart may help.
			['restart', 'restarts the computer under the cursor; it asks first'],
			['filter', 'filters the table, as in status:error'],
			['open', 'shows what happened to that computer'],
		]).map((hint): Span => [`· ${hint}`]),
	],
	hints: [...keyHints(actions, [['signIn', 'signs in']]), 'any other key closes this and acts'],
});

type Content = {
	title: string;
	tone?: Tone;
	lines: readonly Span[];
	/** Verbs in the third person. */
	accept: string;
	refuse?: string;
};

function confirmationDialog(
	confirmation: Confirmation,
	{ exitSummary, actions }: Pick<Scene, 'exitSummary' | 'actions'>,
): Dialog {
	const { about, account, equivalentCommand: command, openingKey } = confirmation;
	const {
		accept,
		refuse = 'cancels',
		...text
	} = contentOf(confirmation, exitSummary(account?.key));
	const copy = command === undefined ? [] : [['copyCommand', 'copies the command'] as const];
	return {
		tone: 'busy',
		...text,
		// One can always quit.
		essentialCount: about === 'leave' ? 0 : text.lines.length,
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
		case 'unlock':
			return {
				title: 'Unlock?',
				lines: [
					['Still watching. Nothing can be changed until you unlock.'],
					...operationLines('Sent as soon as you unlock:', dropped),
				],
				accept: 'unlocks',
			};
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
		case 'signOut':
			return {
				title: `Sign out of ${name}?`,
				lines: [
					['Its stored token is removed. Its rows stay, but get no new data.'],
					...presentLines,
					...operationLines('Cancelled:', dropped),
					...operationLines('Continues; its outcome shows after the next sign-in:', [
						...sent,
						...unknown,
					]),
				],
				accept: 'signs out',
				refuse: 'stays signed in',
			};
		case 'pay':
		case 'billing': {
			const { title, lines, verbInHelp } = billingRequestTexts[about];
			const accountLines: readonly Span[] = account ? [[`Account ${account.name}`]] : [];
			const all = [...presentLines, ...lines.map((line): Span => [line]), ...accountLines];
			return { title, tone: 'accent', lines: all, accept: verbInHelp };
		}
	}
}

function operationLines(title: string, specs: ExitSummary['sent'], end = ''): readonly Span[] {
	return specs.length === 0 ? [] : [[title, 'strong'], [`${commandsText(specs)}${end}`]];
}
