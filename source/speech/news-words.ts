import type { Change, OperationMove, StatusChange } from '../fleet/change.ts';
import type { Operation } from '../fleet/operation.ts';
import { overdueText } from '../operations/durations.ts';
import { operationTable } from '../operations/operation-table.ts';
import type { OperationsState } from '../operations/operations.ts';
import { type WaitReason, waitingText } from '../operations/waiting.ts';
import type { AccountState } from '../store/state.ts';
import { accountNews } from './account-news.ts';
import { spokenChange, statusWord } from './change-words.ts';
import type { Moment } from './scene.ts';
import { batchWords } from './summary-words.ts';
import { firstFew, pluralized, spelledOut } from './words.ts';

/** News about our own operations and about trouble, spoken at once. */
export function urgentNews(before: Moment, after: Moment): readonly string[] {
	return [
		...waitWords(before, after),
		...operationWords(freshChanges(before.account, after.account), after),
		...batchNews(before.picture, after),
		...checkWords(before.picture, after),
		...accountNews(before, after),
	];
}

/** News about the fleet, gathered and summarised. */
export function fleetNews(before: Moment, after: Moment): readonly string[] {
	const fresh = freshChanges(before.account, after.account);
	return [...statusWords(fresh, before, after), ...overdueWords(before, after)];
}

function freshChanges(before: AccountState, after: AccountState): readonly Change[] {
	const count = after.changeCount - before.changeCount;
	return count > 0 ? after.changes.slice(-count) : [];
}

// A shorter wait ends before the sentence has been spoken.
const minSpokenWait = 3000;

/** A countdown is spoken once, when it begins. */
function waitWords(before: Moment, { account, waiting, now }: Moment): readonly string[] {
	return [...waiting].flatMap(([key, wait]) => {
		const spec = account.operations.get(key)?.spec;
		const earlier = before.waiting.get(key);
		if (!spec || (earlier?.for === wait.for && !hasRestarted(earlier, wait))) return [];
		if (wait.for === 'turn' && wait.until - now < minSpokenWait) return [];
		return [`${waitingText(spec, wait, now)}.`];
	});
}

function hasRestarted(known: WaitReason, waiting: WaitReason): boolean {
	return known.for === 'grace' && waiting.for === 'grace' && known.until !== waiting.until;
}

// A cancelled operation is announced by the key that cancelled it.
function operationWords(fresh: readonly Change[], { account }: Moment): readonly string[] {
	return fresh.flatMap(change => {
		if (change.type !== 'operationMoved' || change.to === 'cancelled') return [];
		// Batches are announced as a whole.
		if (change.wish.batch !== undefined) return [];
		const failure = account.operations.get(change.wish.key)?.failure;
		const advice = change.to === 'failed' && failure ? ` ${failure.advice}` : '';
		const looked =
			change.to === 'unknown' ? ' crowsnest checks what happened and does not send it again.' : '';
		return [`${spokenChange(change)}.${advice}${looked}`];
	});
}

const quarters = 4;

function batchNews(before: OperationsState, { picture, timeLeft }: Moment): readonly string[] {
	return picture.batches.flatMap(batch => {
		if (batch.total < 2) return [];
		const known = before.batches.find(({ id }) => id === batch.id);
		const quarterOf = ({ total, counts }: typeof batch) =>
			Math.floor(((total - counts.waiting - counts.underWay) / total) * quarters);
		const isFurther = known && batch.total >= 2 * quarters && quarterOf(batch) > quarterOf(known);
		const isEnded = batch.isOver && !known?.isOver;
		return !known || isFurther || isEnded ? [batchWords(batch, timeLeft(batch.id))] : [];
	});
}

const answers = { answers: 'answers', silent: 'is published, but nothing answers there' } as const;

function checkWords(before: OperationsState, { picture, account }: Moment): readonly string[] {
	return picture.checks.flatMap(check => {
		if (check.state === 'asking' || before.checks.includes(check)) return [];
		const name = account.computers.get(check.id)?.reading.name ?? check.id;
		const found =
			check.state === 'failed'
				? `could not be checked: ${check.failure.message}`
				: answers[check.state];
		return [`Port ${check.port} of ${name} ${found}.`];
	});
}

/** Our own operations have announcements of their own; other changes are grouped when there are many. */
function statusWords(fresh: readonly Change[], before: Moment, after: Moment): readonly string[] {
	const ours = new Set<string | undefined>([
		...[before, after].flatMap(({ account }) =>
			[...account.operations.values()].filter(isUnsettled).map(({ spec }) => spec.computer),
		),
		...fresh.filter(isSettled).map(({ wish }) => wish.computer),
	]);
	const groups = new Map<string, Exclude<Change, OperationMove>[]>();
	for (const change of fresh) {
		if (change.type === 'operationMoved') continue;
		if (change.type === 'statusChanged' && ours.has(change.id)) continue;
		const kind = change.type === 'statusChanged' ? kindOf(change) : change.type;
		groups.set(kind, [...(groups.get(kind) ?? []), change]);
	}
	return [...groups].flatMap(([kind, changes]) =>
		changes.length > maxSeparate && changes.every(({ type }) => type === 'statusChanged')
			? [`${pluralized(changes.length, 'computer')} ${kind}: ${firstFew(changes.map(nameIn))}.`]
			: changes.map(change => `${spokenChange(change)}.`),
	);
}

const maxSeparate = 3;

const isUnsettled = ({ stage }: Operation) => stage !== 'failed';

function isSettled(change: Change): change is OperationMove {
	return change.type === 'operationMoved' && change.to === 'settled';
}

function kindOf({ from, to }: StatusChange): string {
	if (to === null) return 'are gone';
	return from === null ? 'are new' : `became ${statusWord(to)}`;
}

const nameIn = (change: Change) =>
	change.type === 'statusChanged' ? (change.name ?? change.id) : '';

function overdueWords(before: Moment, { account, now }: Moment): readonly string[] {
	const late = [...account.operations.values()].flatMap(operation => {
		const text = overdueText(operation, now);
		const known = before.account.operations.get(operation.spec.key);
		if (text === undefined || (known && overdueText(known, before.now) !== undefined)) return [];
		const { operation: id, name, computer } = operation.spec;
		return [{ who: name ?? computer ?? operationTable[id].label, text: spelledOut(text) }];
	});
	if (late.length <= maxSeparate) return late.map(({ who, text }) => `${who}: ${text}.`);
	const names = firstFew(late.map(({ who }) => who));
	return [`${pluralized(late.length, 'computer')} take longer than they should: ${names}.`];
}
