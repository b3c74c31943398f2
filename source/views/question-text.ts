import { changedMeanwhile } from '../operations/meanwhile.ts';
import { operations } from '../operations/operations.ts';
import type { Leaving } from '../operations/path.ts';
import { type Question, stepOf, yesKeyOf } from '../operations/question.ts';
import type { Confirmation } from '../store/screen.ts';
import type { AccountState } from '../store/state.ts';
import type { Dialog } from './dialog-text.ts';
import type { Span } from './span.ts';
import type { Token } from './theme.ts';

/** A question about an operation, as a dialog. */
export function questionDialog(question: Question, account: AccountState): Dialog {
	const { operation, title, lines, skipped, problem, typed, command } = question;
	const step = stepOf(question);
	const isTyped = step !== undefined && step.kind !== 'yes';
	const token: Token = operations[operation].gravity === 'typed-name' ? 'bad' : 'accent';
	return {
		title,
		token,
		lines: [
			...lines.map((line): Span => [line]),
			...skippedLines(skipped),
			...changedMeanwhile(question, account).map(
				({ name, change }): Span => [`Meanwhile ${name} ${change}.`, 'busy'],
			),
			[command, 'faint'],
			...(problem === undefined ? [] : [[problem, 'bad'] as const]),
		],
		prompt: [[isTyped ? `${step.prompt} ` : (step?.prompt ?? '')]],
		...(isTyped && { typed: [typed, 'strong'] as const }),
		hint: [[isTyped ? 'Enter, Esc keeps it, Ctrl-Y copies' : 'c copies the command', 'faint']],
	};
}

const namedAtMost = 3;

function skippedLines(skipped: Question['skipped']): readonly Span[] {
	const named = skipped
		.slice(0, namedAtMost)
		.map(({ name, reason }): Span => [`Left out: ${name}, ${reason}`, 'busy']);
	const more = skipped.length - named.length;
	return more > 0 ? [...named, [`… and ${more} more are left out`, 'busy']] : named;
}

const prompts = {
	leave: 'Leave?',
	unlock: 'Unlock?',
	pay: 'Open it?',
	billing: 'Start it?',
} as const;

/** A question of the program about itself. */
export function confirmationDialog(asked: Confirmation, { safe, dropped }: Leaving): Dialog {
	const { about } = asked;
	const prompt: readonly Span[] = [[`${prompts[about]} ${yesKeyOf(asked)} / n`]];
	const hint: readonly Span[] = [];
	if (about === 'pay') {
		const lines: readonly Span[] = [
			['A page of the payment service is made, and its address is shown here.'],
			['Nothing is paid until you pay there.'],
		];
		return { title: 'Open a payment page?', token: 'accent', lines, prompt, hint };
	}
	if (about === 'billing') {
		const line: Span = [
			'Billing is set up for this account, as the platform does it for a new user.',
		];
		return { title: 'Start billing?', token: 'accent', lines: [line], prompt, hint };
	}
	if (about === 'unlock') {
		const line: Span = ['It goes on watching, and changes nothing until it is unlocked.'];
		const lines = [line, ...wishLines('Waits for that, and is sent then:', dropped)];
		return { title: 'Locked', token: 'busy', lines, prompt, hint };
	}
	return {
		title: 'Something is still under way',
		token: 'busy',
		lines: [
			...wishLines('Sent, and goes on without this program:', safe),
			...wishLines('Not sent yet, and dropped:', dropped),
		],
		prompt,
		hint,
	};
}

function wishLines(title: string, wishes: Leaving['safe']): readonly Span[] {
	if (wishes.length === 0) return [];
	const named = wishes
		.slice(0, namedAtMost)
		.map(({ operation, name, computer }) => `${operation} ${name ?? computer ?? ''}`.trim());
	const more = wishes.length - named.length;
	return [[title, 'strong'], [`${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]];
}
