import { type Question, stepOf } from '../../source/operations/question.ts';
import type { AskResult, KeyResult } from '../../source/operations/refusal.ts';
import type { Guarded } from './guarded.ts';

/** A person before the keyboard, who notes what was asked and what was typed since. */
export function createPerson({ operations, wall, permissions, problems, state }: Guarded) {
	let question: Question | undefined;
	let line = '';

	function note(result: AskResult | KeyResult, how: string) {
		if (result.type !== 'begun') return;
		const isShut = state.isShut || state.isReadOnly || state.hasQuit;
		if (isShut) problems.push(`${how} began something when nothing may change`);
		if (!question) {
			problems.push(`${how} began something without a question`);
			return;
		}
		const { operation, targets } = question;
		const [only] = targets;
		if (operation === 'delete') {
			const expected = targets.length === 1 ? [only?.name, only?.id] : [`delete ${targets.length}`];
			if (how !== 'enter' || !expected.includes(line))
				problems.push(`delete after "${line}" ${how}`);
		} else if (how === 'enter' && line === '') {
			problems.push(`${operation} by Enter alone`);
		} else if (how !== 'enter' && how !== 'y') problems.push(`${operation} by ${how}`);
		const about = operation === 'create' ? [undefined] : targets.map(({ id }) => id);
		for (const id of about) permissions.push({ operation, id, isSpent: false });
		question = undefined;
	}

	function press(key: string) {
		const open = operations.state().question;
		const step = open && stepOf(open);
		const isTyping = step !== undefined && step.kind !== 'yes';
		const isDeaf = !open || wall.now() < open.openedAt + 300;
		if (key === 'backspace') line = isDeaf ? line : line.slice(0, -1);
		else if (key === 'ctrl-u') line = isDeaf ? line : '';
		else if (isTyping && !isDeaf && (key.length === 1 || key === 'space'))
			line += key === 'space' ? ' ' : key;
		const result = operations.press({ key });
		if (isDeaf && result.type === 'begun') problems.push(`${key} was heard while deaf`);
		note(result, key);
		// The next step has a line of its own.
		if (key === 'enter' || key === 'escape') line = operations.state().question?.typed ?? '';
	}

	return {
		press,
		ask(...asking: Parameters<typeof operations.ask>) {
			const asked = operations.ask(...asking);
			question = asked.type === 'question' ? structuredClone(asked.question) : undefined;
			line = question?.typed ?? '';
		},
		retry(batch: string) {
			const asked = operations.retryFailed(batch);
			question = asked.type === 'question' ? structuredClone(asked.question) : undefined;
			line = '';
		},
		/** Does all that the open question wants. */
		comply() {
			for (let turn = 0; turn < 5; turn += 1) {
				const open = operations.state().question;
				const step = open && stepOf(open);
				if (!step) return;
				if (step.kind === 'yes') press(step.key);
				else {
					const text =
						step.kind === 'typed' ? step.expected : step.kind === 'port' ? '3000' : 'new';
					press('ctrl-u');
					for (const letter of text) press(letter === ' ' ? 'space' : letter);
					press('enter');
				}
			}
		},
		/** What no key can do: an answer made up, for other computers, or for a question long gone. */
		forge(place: number) {
			const open = operations.state().question ?? question;
			if (!open) return;
			const targets = open.targets.map(target => ({ ...target, id: `sb_${place}` }));
			const steps =
				[open.steps, [], [{ kind: 'yes' as const, key: 'y', prompt: '' }]][place % 3] ?? [];
			const forged = { ...open, targets, steps, answers: place % 2 ? ['y'] : ['y', 'y', 'y'] };
			const isInFull =
				open.steps.at(-1)?.kind === 'yes' && forged.answers.length === open.steps.length;
			note(operations.answer(forged), isInFull ? 'y' : 'a forged answer');
		},
	};
}
