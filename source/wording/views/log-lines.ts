import {
	type Change,
	computerIdOf,
	type OperationMove,
	type StatusChange,
} from '../../fleet/change.ts';
import type { AccountProfile } from '../../fleet/computers/account-profile.ts';
import { type Phase, phaseOf } from '../../fleet/computers/computer.ts';
import { globalIdOf } from '../../fleet/computers/global-id.ts';
import type { OperationId } from '../../fleet/operations/operation.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import { memoize } from '../../foundation/memoize.ts';
import type { Choice } from '../../screen/choice.ts';
import { nameWithAccount } from '../../store/joint-account.ts';
import type { UnderWay, UnderWayLine } from './under-way.ts';
import { withWholeChanges } from './whole-changes.ts';

/** A heading above the changes of an earlier day. */
export type LogRule = { type: 'day'; at: number };

export const isLogRule = (line: LogLine): line is LogRule => line.type === 'day';

/** A line of the log. */
export type LogLine =
	/** `sentAt` is the time at which the request of an operation was sent, if the log has it. */
	| { type: 'change'; change: Change; sentAt?: number | undefined; isPart: boolean }
	/** The operations of one question, each in its latest state, newest first. */
	| {
			type: 'batch';
			id: string;
			moves: readonly [OperationMove, ...OperationMove[]];
			/** Whether the log no longer has the beginning of the batch, so that there may have been more operations. */
			isCut: boolean;
			isUnfolded: boolean;
	  }
	| LogRule;

/** A line of the log that is not a heading. */
export type LogEntry = Exclude<LogLine, LogRule>;

type LogLines = {
	/** What has not ended yet, which stands above the lines, outside their filter. */
	underWay: readonly UnderWayLine[];
	lines: readonly LogLine[];
	choices: readonly Choice[];
	/** How many lines there are without headings and without the operations of open batches. */
	eventCount: number;
};

type LogAccount = Pick<AccountProfile, 'account' | 'name'>;

/**
 * Creates a function that makes one line of each operation, of each batch, of each sleep and of each awakening, with a
 * heading for each day.
 * What is under way has lines of its own. `all` has the newest change first. The function returns the same lists until an argument changes.
 */
export function createLogLines() {
	return memoize(
		(
			all: readonly Change[],
			unfoldedIds: ReadonlySet<string>,
			today: string,
			underWay: UnderWay,
			...accounts: readonly LogAccount[]
		): LogLines => {
			const entries = entriesFrom(withWholeChanges(all), unfoldedIds, underWay.ids);
			const lines = withDays(entries, today);
			const rules = underWay.lines.length > 0 ? 1 : 0;
			const top = underWay.lines.length + rules;
			const below = lines.flatMap((line, at) => choiceOf(line, top + at, accounts) ?? []);
			const choices = [...underWay.choices, ...below];
			const eventCount = entries.filter(each => each.type === 'batch' || !each.isPart).length;
			return { underWay: underWay.lines, lines, choices, eventCount };
		},
	);
}

type Steps = { latest: OperationMove; sentAt: number | undefined };

/** Returns the lines of the log without headings, and without those about what is under way. */
export function entriesFrom(
	changes: readonly Change[],
	unfoldedIds: ReadonlySet<string>,
	underWayIds: ReadonlySet<string> = noIds,
): readonly LogEntry[] {
	const stepsByKey = stepsFrom(changes);
	const isUnderWay = ({ wish: { key, batch = key } }: OperationMove) => underWayIds.has(batch);
	const isSideEffect = createSideEffectTest([...stepsByKey.values()], isUnderWay);
	const movesByBatch = new Map<string, [OperationMove, ...OperationMove[]]>();
	for (const { latest } of stepsByKey.values()) {
		const { batch } = latest.wish;
		if (batch === undefined) continue;
		const moves = movesByBatch.get(batch);
		if (moves) moves.push(latest);
		else movesByBatch.set(batch, [latest]);
	}
	const oldestAt = changes.at(-1)?.at ?? 0;
	const lines: LogEntry[] = [];
	const seenBatches = new Set<string>();
	for (const change of changes) {
		if (change.type !== 'operationMoved') {
			const isHidden = change.type === 'statusChanged' && isSideEffect(change);
			if (!isHidden) lines.push({ type: 'change', change, isPart: false });
			continue;
		}
		if (isUnderWay(change)) continue;
		const { key, batch: id = '' } = change.wish;
		const { latest, sentAt } = stepsByKey.get(key) ?? {};
		if (latest !== change || seenBatches.has(id)) continue;
		const moves = movesByBatch.get(id);
		if (!moves || moves.length < 2) {
			lines.push({ type: 'change', change, sentAt, isPart: false });
			continue;
		}
		seenBatches.add(id);
		const isUnfolded = unfoldedIds.has(id);
		const isCut = moves.some(
			({ wish, to, at, took }) =>
				to === 'settled' && at - took < oldestAt && stepsByKey.get(wish.key)?.sentAt === undefined,
		);
		lines.push({ type: 'batch', id, moves, isCut, isUnfolded });
		for (const move of isUnfolded ? moves : []) {
			const sentAt = stepsByKey.get(move.wish.key)?.sentAt;
			lines.push({ type: 'change', change: move, sentAt, isPart: true });
		}
	}
	return lines;
}

/** Returns the latest step of each operation, by its key, newest first. */
function stepsFrom(changes: readonly Change[]): ReadonlyMap<string, Steps> {
	const stepsByKey = new Map<string, Steps>();
	for (const change of changes) {
		if (change.type !== 'operationMoved') continue;
		const { key } = change.wish;
		const steps = stepsByKey.get(key);
		const sentAt = change.to === 'sent' ? change.at : undefined;
		if (!steps) stepsByKey.set(key, { latest: change, sentAt });
		else if (sentAt !== undefined) steps.sentAt = sentAt;
	}
	return stepsByKey;
}

const noIds: ReadonlySet<string> = new Set();

/**
 * Creates a function that recognises a change of status that an operation caused which is done or under way, also the first
 * one of an operation that was just sent. The line of the operation already says it. A change to an error always has its own line.
 */
function createSideEffectTest(
	operations: readonly Steps[],
	isUnderWay: (move: OperationMove) => boolean,
): (change: StatusChange) => boolean {
	const spansById = new Map<string, { from: number; to: number }[]>();
	const sent = operations.flatMap(({ latest }) => (latest.to === 'sent' ? [latest] : []));
	for (const { latest, sentAt } of operations) {
		const { computer } = latest.wish;
		const isDone = latest.to === 'settled';
		if (computer === undefined || !(isDone || isUnderWay(latest))) continue;
		const from = sentAt ?? latest.at - latest.took;
		const span = { from, to: isDone ? latest.at : Number.POSITIVE_INFINITY };
		const spans = spansById.get(computer);
		if (spans) spans.push(span);
		else spansById.set(computer, [span]);
	}
	return ({ id, at, to }) => {
		const phase = to === null ? undefined : phaseOf(to);
		if (phase === 'error') return false;
		const isBegun = sent.some(
			({ wish, at: sentAt }) =>
				wish.computer === id && sentAt <= at && phase === phaseDuring(wish.operation),
		);
		return isBegun || (spansById.get(id)?.some(span => span.from <= at && at <= span.to) ?? false);
	};
}

/** Returns the phase of a computer while this operation is under way. */
function phaseDuring(operation: OperationId): Phase | undefined {
	const { goal } = operationRowOf(operation);
	return 'intermediatePhase' in goal ? goal.intermediatePhase : undefined;
}

function withDays(entries: readonly LogEntry[], today: string): readonly LogLine[] {
	let day = today;
	return entries.flatMap((line): readonly LogLine[] => {
		const at = timeOf(line);
		const isSameDay = dayKeyOf(at) === day;
		day = dayKeyOf(at);
		return isSameDay ? [line] : [{ type: 'day', at }, line];
	});
}

export const dayKeyOf = (at: number) => new Date(at).toDateString();

/** Returns when the thing happened that a line tells; for a batch, its newest part. */
export function timeOf(line: LogLine): number {
	if (line.type === 'change') return line.change.at;
	return line.type === 'batch' ? (line.moves[0]?.at ?? 0) : line.at;
}

function choiceOf(line: LogLine, at: number, accounts: readonly LogAccount[]): Choice | undefined {
	if (isLogRule(line)) return undefined;
	const hasFailed = movesOf(line).some(({ to }) => to === 'failed');
	if (line.type === 'batch') return { id: line.id, line: at, opens: { type: 'parts' }, hasFailed };
	const { change } = line;
	const id = changeIdOf(change);
	const computer = computerIdOf(change);
	if (computer === undefined) return { id, line: at, hasFailed };
	const name = nameOf(change) ?? computer;
	// With several accounts, the name of a computer begins with its account.
	const [first] = accounts;
	const owner = accounts.find(each => name.startsWith(nameWithAccount(each.name, ''))) ?? first;
	if (!owner) return { id, line: at, hasFailed };
	return {
		id,
		line: at,
		opens: { type: 'computer', id: globalIdOf(owner.account, computer), name },
		hasFailed,
	};
}

function movesOf(line: LogEntry): readonly OperationMove[] {
	if (line.type === 'batch') return line.moves;
	return line.change.type === 'operationMoved' ? [line.change] : [];
}

function nameOf(change: Change): string | undefined {
	if (change.type === 'statusChanged') return change.name;
	return change.type === 'operationMoved' ? change.wish.name : undefined;
}

function changeIdOf(change: Change): string {
	if (change.type === 'operationMoved') return change.wish.key;
	const subject = change.type === 'statusChanged' ? `${change.id} ${change.to}` : change.type;
	return `${subject} ${change.at}`;
}
