import { expect, test } from 'vitest';
import { textOf } from '../../../source/drawing/span.ts';
import type { OperationMove } from '../../../source/fleet/change.ts';
import type {
	BatchProgress,
	Operation,
	OperationSpec,
} from '../../../source/fleet/operations/operation.ts';
import type { KeyContext } from '../../../source/keys/binding.ts';
import type { WaitReason } from '../../../source/operations/waiting.ts';
import { type AccountState, emptyAccount } from '../../../source/store/state.ts';
import { failureMessage, progressSpans } from '../../../source/wording/frame/progress-text.ts';
import { batchWords } from '../../../source/wording/phrases/batch-text.ts';
import { now } from '../../arbitraries/values.ts';
import { theme } from '../../sample-theme.ts';

const none = {
	...{ waiting: 0, underWay: 0, checking: 0 },
	...{ done: 0, failed: 0, unknown: 0, cancelled: 0 },
};

const failure = {
	id: 'sb_9',
	name: 'rigel',
	message: 'The service is being maintained, and 23 s later it still was: nobody answers',
};

const unknownOutcome = { id: 'sb_8', name: 'draco', message: 'no answer' };

function batchOf(counts: Partial<BatchProgress['countsByState']>): BatchProgress {
	const all = { ...none, ...counts };
	return {
		id: 'b1',
		operation: 'stop',
		total: Object.values(all).reduce((sum, count) => sum + count),
		countsByState: all,
		failures: Array.from({ length: all.failed }, () => failure),
		unknownOutcomes: Array.from({ length: all.unknown }, () => unknownOutcome),
		skipped: [],
		askedAt: 0,
		isOver: all.waiting + all.underWay + all.checking === 0,
	};
}

const withBatch = (batch: BatchProgress, account = emptyAccount): AccountState => ({
	...account,
	batches: new Map([[batch.id, batch]]),
});

type LineOptions = {
	width?: number;
	canChange?: boolean;
	place?: KeyContext;
	account?: AccountState;
	waiting?: WaitReason;
	sending?: number;
};

function lineOf(
	counts: Partial<BatchProgress['countsByState']>,
	options: LineOptions = {},
): string {
	const { width = 120, place = 'fleet', account = emptyAccount, waiting, sending = 0 } = options;
	const { canChange = true } = options;
	const spans = progressSpans({
		account: withBatch(batchOf(counts), account),
		keyContext: place,
		canChange,
		waitingFor: () => waiting,
		estimateTimeLeft: () => sending,
		width,
		now,
		theme,
	});
	return textOf(spans ?? []);
}

const failureOf = (counts: Partial<BatchProgress['countsByState']>) =>
	textOf(failureMessage({ type: 'batch', at: now, batch: batchOf(counts) }, theme).spans);

const wish: OperationSpec = {
	key: 'k',
	operation: 'stop',
	computer: 'sb_1',
	name: 'atlas',
	batch: 'b1',
};

const withOperation = (operation: Partial<Operation>): AccountState => ({
	...emptyAccount,
	operations: new Map([
		[
			wish.key,
			{
				spec: wish,
				stage: 'queued',
				askedAt: now,
				hasPhaseChanged: false,
				...operation,
			},
		],
	]),
});

const moved = (to: OperationMove['to'], at: number): OperationMove => ({
	type: 'operationMoved',
	at,
	wish: { key: 'before', operation: 'stop' },
	to,
	took: 0,
});

/** The log entries of an earlier stop, which took half a minute. */
const past = [moved('sent', now - 90_000), moved('settled', now - 60_000)];

test('a batch that has ended without a failure has no line', () => {
	expect(lineOf({ cancelled: 3 })).toBe('');
	expect(lineOf({ done: 3 })).toBe('');
	expect(batchWords(batchOf({ cancelled: 3 }), 0).speech).toBe(
		'Stop cancelled: none of 3 was sent.',
	);
});

test('separates the thousands of a large batch', () => {
	expect(failureOf({ done: 1200, cancelled: 4243, failed: 1 })).toMatch(
		/^✖ Stopped 1,200 of 5,444, 4,243 cancelled, 1 failed: /,
	);
	expect(lineOf({ done: 1000, waiting: 4444 })).toMatch(
		/^Stopping 5,444 .* 1,000 done {2}4,444 queued/,
	);
});

test('the counts in the progress line add up to the size of the batch', () => {
	const counts = { done: 7, failed: 1, underWay: 5, waiting: 2, checking: 1, cancelled: 1 };
	expect(lineOf(counts, { width: 160 })).toMatch(
		/^Stopping 17 .* 7 done {2}1 failed {2}1 cancelled {2}1 unknown {2}5 under way {2}2 queued /,
	);
	const countsInBar =
		lineOf(counts)
			.replace('Stopping 17', '')
			.match(/\d+ (?=[a-z])/g) ?? [];
	expect(countsInBar.reduce((sum, count) => sum + Number(count), 0)).toBe(17);
});

test('the progress line names the key of the log in the table while part of a batch is not sent yet', () => {
	expect(lineOf({ waiting: 1, underWay: 2 })).toContain('J shows all');
	expect(lineOf({ underWay: 3 })).not.toContain('J ');
	expect(lineOf({ waiting: 1, underWay: 2 }, { place: 'question' })).not.toContain('J ');
});

test('the progress line estimates the time left from the usual duration, if that is known', () => {
	const sending = 10_000;
	expect(lineOf({ waiting: 9, done: 8 }, { sending })).toContain(
		'the last request is sent in about 10 s',
	);
	expect(lineOf({ underWay: 9, done: 8 })).not.toMatch(/about|sent/);
	const account = { ...withOperation({ stage: 'accepted', sentAt: now - 5000 }), changes: past };
	expect(lineOf({ waiting: 9, done: 8 }, { sending, account })).toContain('about 40 s left');
	expect(lineOf({ underWay: 9, done: 8 }, { account })).toContain('about 25 s left');
	const late = { ...withOperation({ stage: 'accepted', sentAt: now - 50_000 }), changes: past };
	expect(lineOf({ underWay: 9, done: 8 }, { account: late })).not.toContain('left');
});

test('a failed batch counts unknown outcomes apart from failures, and says why the first one failed', () => {
	expect(failureOf({ done: 8, unknown: 2 })).toBe('? Stopped 8 of 10, 2 unknown: draco: no answer');
	expect(failureOf({ done: 8, unknown: 1, failed: 1 })).toBe(
		`✖ Stopped 8 of 10, 1 unknown, 1 failed: rigel: ${failure.message}`,
	);
});

test('the bar of a running batch is as long as the share of operations that have ended', () => {
	const cellsIn = (line: string) => line.match(/━/g)?.length ?? 0;
	const ended = { done: 2, failed: 2, unknown: 2, cancelled: 2 };
	const full = cellsIn(lineOf({ ...ended, underWay: 0, waiting: 1 }, { width: 160 }));
	const half = cellsIn(lineOf({ ...ended, underWay: 4, checking: 4 }, { width: 160 }));
	expect(half).toBe(12);
	expect(full).toBeGreaterThan(20);
});

test('the line and the speech of a batch name unknown outcomes apart from failures', () => {
	const { line, speech } = batchWords(batchOf({ done: 1, failed: 1, unknown: 1 }), 0);
	expect(line).toBe(
		`Stopped 1 of 3, 1 failed: rigel: ${failure.message}, 1 unknown: draco: no answer`,
	);
	expect(speech).toBe(`${line}. Press capital F to retry what failed.`);
	expect(batchWords(batchOf({ done: 1, unknown: 1 }), 0).speech).toBe(
		'Stopped 1 of 2, 1 unknown: draco: no answer.',
	);
	expect(batchWords(batchOf({ underWay: 1, checking: 1, unknown: 1 }), 0).line).toBe(
		'Stopping 3: 0 done, 2 unknown, 1 under way',
	);
});
