import type { Clock } from '../fleet/clock.ts';
import type { OperationId } from '../fleet/operation.ts';
import type { Strictness } from '../fleet/preferences.ts';
import type { Pace } from '../pace/pace.ts';
import type { AccountStore } from './account-store.ts';
import { buildQuestion } from './build-question.ts';
import type { Details, Skipped } from './operation-row.ts';
import { operationTable } from './operation-table.ts';
import { answerKey, isAnswered, type KeyOrPaste, type Question } from './question.ts';
import {
	type AnswerResult,
	type AskResult,
	type KeyResult,
	type Refusal,
	refused,
	skippedText,
} from './refusal.ts';
import { type CapturedTargets, captureTargets } from './targets.ts';

/** Where the one open question lies until it is answered or put away. */
export type OpenQuestion = {
	ask(
		operation: OperationId,
		ids: readonly string[],
		more?: Details & { askedWith?: string },
	): AskResult;
	press(input: KeyOrPaste): KeyResult;
	answer(current: Question): AnswerResult;
	question(): Question | undefined;
	/** It came into sight: whatever it was covered by before, it is deaf anew. */
	shown(): void;
	clear(): void;
};

type Parts = {
	teller: AccountStore;
	pace: Pick<Pace, 'budgets'>;
	clock: Clock;
	mint: () => string;
	confirm: Readonly<Partial<Record<OperationId, Strictness>>>;
	commandOptions: readonly string[];
	untold: () => ReadonlyMap<string, OperationId>;
	/** Why nothing at all may be changed now. */
	barred: () => { why: Refusal['why']; message: string } | undefined;
	begin: (question: Question) => AnswerResult;
	onChange: () => void;
};

const nothing: CapturedTargets = { targets: [], skipped: [] };

export function createOpenQuestion(parts: Parts): OpenQuestion {
	const { teller, pace, clock, mint, confirm, commandOptions } = parts;
	const { untold, barred, begin, onChange } = parts;
	let question: Question | undefined;

	function put(next: Question | undefined) {
		if (next === question) return;
		question = next;
		onChange();
	}

	/** A question that may not be answered any more does not stay open. */
	function refusal() {
		const bar = barred();
		if (!bar) return undefined;
		put(undefined);
		return refused(bar.why, bar.message);
	}

	function ask(
		operation: OperationId,
		ids: readonly string[],
		{ askedWith, ...details }: Details & { askedWith?: string } = {},
	): AskResult {
		put(undefined);
		const no = refusal();
		if (no) return no;
		const now = clock.now();
		const account = teller.state();
		const isForSome = operation !== 'create';
		const captured = isForSome
			? captureTargets(account, operation, ids, details, now, untold())
			: nothing;
		const count = captured.targets.length;
		if (isForSome && count === 0) return refusedAll(operation, captured.skipped);
		const strictness = confirm[operation];
		const next = buildQuestion({
			id: mint(),
			account,
			operation,
			captured,
			details,
			strictness,
			askedWith,
			options: commandOptions,
			budgets: pace.budgets(),
			now,
		});
		// Only the question to start can be switched off, and not for many at once.
		if (operation === 'start' && strictness === 'off' && count === 1) return begin(next);
		put(next);
		return { type: 'question', question: next };
	}

	function answer(given: Question): AnswerResult {
		const no = refusal();
		if (no) return no;
		if (question?.id !== given.id) return refused('no-answer', 'This question is no longer open');
		// Only the answers are taken from outside: what it is about was captured here.
		const told = { ...question, answers: given.answers };
		if (!isAnswered(told)) return refused('no-answer', 'The question is not fully answered');
		put(undefined);
		return begin(told);
	}

	return {
		ask,
		answer,
		press(input) {
			if (!question) return { type: 'none' };
			const no = refusal();
			if (no) return no;
			const reply = answerKey(question, input, clock.now());
			if (reply.type === 'answered') return answer(reply.question);
			put(reply.type === 'cancelled' ? undefined : reply.question);
			if (reply.type === 'cancelled') return { type: 'cancelled' };
			return { type: reply.type === 'copy' ? 'copy' : 'question', question: reply.question };
		},
		question: () => question,
		shown() {
			const now = clock.now();
			if (question && question.openedAt < now) put({ ...question, openedAt: now });
		},
		clear: () => put(undefined),
	};
}

function refusedAll(operation: OperationId, skipped: readonly Skipped[]) {
	const { label } = operationTable[operation];
	if (skipped.length > 0)
		return refused('not-allowed', `${label} ${skippedText(skipped)}`, skipped);
	return refused('not-allowed', 'Nothing selected');
}
