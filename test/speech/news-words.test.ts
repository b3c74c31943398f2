import { expect, test } from 'vitest';
import type { FactBody } from '../../source/fleet/fact.ts';
import type { Operation, OperationSpec } from '../../source/fleet/operations/operation.ts';
import { createFailure } from '../../source/platform/decoding/platform-error.ts';
import { fleetNews, urgentNews } from '../../source/speech/news-words.ts';
import type { SpokenMoment } from '../../source/speech/scene.ts';
import { computerNameIn } from '../../source/speech/scene.ts';
import { fold } from '../../source/store/fold.ts';
import { emptyAccount, emptyState, type State } from '../../source/store/state.ts';
import { operationChanged } from '../arbitraries/sample-facts.ts';
import { onlyAccount } from '../opened-account.ts';

const start = Date.UTC(2026, 10, 21, 8);
const minute = 60_000;

/**
 * Creates an account into which `happens` folds facts. Both functions return the moment afterwards, and
 * only `later` advances the clock.
 */
function story() {
	let state: State = emptyState;
	let now = start;
	const moment = (more: Partial<SpokenMoment> = {}): SpokenMoment => ({
		account: state.accounts.get('test') ?? emptyAccount,
		nameOf: id => computerNameIn(onlyAccount(state.accounts.get('test') ?? emptyAccount), id),
		operationsState: {
			question: undefined,
			isLocked: false,
			isReadOnly: false,
			commandRuns: [],
			portChecks: [],
			holdReason: undefined,
			isEscapePending: () => false,
		},
		waitReasonByKey: new Map(),
		estimateTimeLeft: () => 42_000,
		runway: null,
		now,
		...more,
	});
	return {
		moment,
		happens(...happenings: readonly FactBody[]) {
			for (const happening of happenings) {
				state = fold(state, { account: 'test', at: now, ...happening });
			}
			return moment();
		},
		later(milliseconds: number) {
			now += milliseconds;
			return moment();
		},
	};
}

const computers = (status: string, count = 6): FactBody => ({
	type: 'listRead',
	computers: Array.from({ length: count }, (_, at) => ({ id: `sb_${at}`, name: `n${at}`, status })),
});

const wish: OperationSpec = { key: 'k1', operation: 'stop', computer: 'sb_0', name: 'n0' };

test('many changes of the same kind are spoken in one sentence, and a few changes one by one', () => {
	const { happens, later } = story();
	const before = happens(computers('active'));
	later(minute);
	const after = happens(computers('stopped'));
	expect(fleetNews(before, after)).toEqual(['6 computers became stopped: n0, n1, n2 and 3 more.']);
	later(minute);
	const few = happens({ type: 'statusRead', computer: { id: 'sb_1', status: 'error' } });
	expect(fleetNews(after, few)).toEqual(['n1 became error.']);
	expect(fleetNews(few, few)).toEqual([]);
});

test('the reason of an error is spoken with the change, or as soon as it is read', () => {
	const { happens, later } = story();
	const broken = (id: number, error?: string): FactBody => ({
		type: 'statusRead',
		computer: { id: `sb_${id}`, status: 'error', ...(error !== undefined && { error }) },
	});
	const before = happens(computers('active'));
	later(minute);
	const failed = happens(broken(1, 'disk quota exceeded'), broken(2));
	expect(fleetNews(before, failed)).toEqual([
		'n1 became error: disk quota exceeded.',
		'n2 became error.',
	]);
	later(minute);
	const explained = happens(broken(2, 'out of memory'));
	expect(fleetNews(failed, explained)).toEqual(['Reason of the error of n2: out of memory.']);
	expect(fleetNews(explained, happens(broken(2, 'out of memory')))).toEqual([]);
});

test('many computers with the same reason of their errors are named in one sentence', () => {
	const { happens } = story();
	const before = happens(computers('active'));
	const error = 'disk quota exceeded';
	const ids = [0, 1, 2, 3];
	const after = happens(
		...ids.map(
			(id): FactBody => ({
				type: 'statusRead',
				computer: { id: `sb_${id}`, status: 'error', error },
			}),
		),
	);
	expect(fleetNews(before, after)).toEqual([
		'4 computers became error: n0, n1, n2 and 1 more.',
		'Reason of the error of n0, n1, n2 and 1 more: disk quota exceeded.',
	]);
});

test('after an operation of this program, its outcome is spoken and not the change of the status', () => {
	const { happens, later } = story();
	const before = happens(computers('active'), operationChanged(wish, 'queued'));
	const sent = happens(operationChanged(wish, 'sent', { sent: start }));
	expect(urgentNews(before, sent)).toEqual(['n0: stop requested.']);
	later(1000);
	happens(operationChanged(wish, 'accepted', { sent: start, accepted: start + 1 }));
	later(1000);
	const over = happens({ type: 'statusRead', computer: { id: 'sb_0', status: 'stopped' } });
	expect(fleetNews(sent, over)).toEqual([]);
	const settled = happens(operationChanged(wish, 'done', { sent: start, ended: start + 2000 }));
	expect(urgentNews(over, settled)).toEqual(['n0: stopped.']);
	expect(fleetNews(sent, settled)).toEqual([]);
});

test('a failed operation is spoken with advice, and an unknown outcome with what happens next', () => {
	const { happens } = story();
	const before = happens(computers('active'), operationChanged(wish, 'queued'));
	const failure = { ...createFailure('conflict', 'already in progress'), advice: 'Wait for it.' };
	const unknown = happens(operationChanged(wish, 'unknown', {}, { failure }));
	expect(urgentNews(before, unknown)).toEqual([
		'n0: stop outcome unknown: already in progress. crowsnest checks what happened and does not send the request again.',
	]);
	const failed = happens(operationChanged(wish, 'failed', {}, { failure }));
	expect(urgentNews(unknown, failed)).toEqual([
		'n0: stop failed: already in progress. Wait for it.',
	]);
});

test('a countdown is spoken once, when it begins', () => {
	const { happens, moment, later } = story();
	const before = happens(computers('active'));
	happens(operationChanged(wish, 'queued'));
	const waits = new Map([['k1', { type: 'grace', until: start + 4000 } as const]]);
	const counting = moment({ waitReasonByKey: waits });
	expect(urgentNews(before, counting)).toEqual(['Stopping n0 in 4 seconds, Escape to cancel.']);
	later(2000);
	expect(urgentNews(counting, moment({ waitReasonByKey: waits }))).toEqual([]);
});

test('an overdue operation is spoken once', () => {
	const { happens, later } = story();
	happens(computers('active'), operationChanged(wish, 'queued'));
	const sent = happens(operationChanged(wish, 'sent', { sent: start }));
	const late = later(minute + 1000);
	expect(fleetNews(sent, late)).toEqual(['n0: still stopping after 1 minute 1 second.']);
	expect(fleetNews(late, later(minute))).toEqual([]);
});

test('a lost connection is spoken at the second lost answer, and again when the connection returns', () => {
	const { happens, later } = story();
	const failure = { ...createFailure('offline', 'no route'), advice: 'Look at the network.' };
	const before = happens(computers('active'));
	const once = happens({ type: 'readFailed', read: 'list', failure });
	expect(urgentNews(before, once)).toEqual([]);
	const twice = happens({ type: 'readFailed', read: 'list', failure });
	expect(urgentNews(once, twice)).toEqual([
		'Cannot read from the platform: no route. Look at the network. crowsnest keeps trying.',
	]);
	later(2 * minute);
	const back = happens(computers('active'));
	expect(urgentNews(twice, back)).toEqual([
		'Reading from the platform works again, after 2 minutes.',
	]);
});

test('the beginning and the end of a frozen rate limit are spoken', () => {
	const { happens, later } = story();
	const free = { limit: 30, spent: 3 };
	const standings = { create: free, status: free, other: free };
	const before = happens({ type: 'limitsChanged', standings });
	const frozen = happens({
		type: 'limitsChanged',
		standings: { ...standings, other: { ...free, frozenUntil: start + 40_000 } },
	});
	expect(urgentNews(before, frozen)).toEqual([
		'Every other request waits 40 seconds for the rate limit.',
	]);
	expect(urgentNews(frozen, later(minute))).toEqual([
		'Every other request continues: the rate limit is over.',
	]);
});

test('a warning about low credits is spoken once', () => {
	const { happens, moment } = story();
	happens({ type: 'creditsRead', credits: { balance: 4.2 } });
	const enough = moment({ runway: { burnPerHour: 0.1, timeLeftMs: 42 * 60 * minute } });
	const low = moment({ runway: { burnPerHour: 0.6, timeLeftMs: 7 * 60 * minute, isLow: true } });
	expect(urgentNews(enough, low)).toEqual(['Credits run low: 4.20 left, enough for 7 hours.']);
	expect(urgentNews(low, low)).toEqual([]);
	const stuck = happens({ type: 'creditsRead', credits: { balance: 0, canRun: false } });
	expect(urgentNews(low, stuck)).toEqual(['Credits 0.00: too few to run a computer.']);
});

test('the progress of a batch is spoken after each quarter and at its end', () => {
	const { moment } = story();
	type Stages = Partial<Record<Operation['stage'], number>>;
	const withStages = (stages: Stages) => {
		const all = Object.entries(stages).flatMap(([stage, count]) =>
			Array.from({ length: count }, () => stage as Operation['stage']),
		);
		const failure = createFailure('conflict', 'already in progress');
		const operations = all.map((stage, n): [string, Operation] => {
			const spec = { key: `${n}`, operation: 'stop', name: 'kepler', batch: 'b1' };
			return [spec.key, { spec, stage, askedAt: 0, hasPhaseChanged: false, failure }];
		});
		const account = { ...moment().account, operations: new Map(operations) };
		return moment({ account });
	};
	const at = (queued: number, done: number, failed: number) => withStages({ queued, done, failed });
	expect(urgentNews(moment(), at(40, 0, 0))).toEqual([
		'Stopping 40: 0 done, 40 queued. The last request is sent in about 42 seconds. Press capital J and then x to cancel the requests that are not sent yet.',
	]);
	expect(urgentNews(at(40, 0, 0), at(35, 5, 0))).toEqual([]);
	expect(urgentNews(at(35, 5, 0), at(29, 10, 1))).toEqual([
		expect.stringMatching(/^Stopping 40: 10 done, 1 failed, 29 queued/),
	]);
	const sent = withStages({ done: 29, failed: 1, unknown: 1, sent: 9 });
	expect(urgentNews(moment(), sent)).toEqual([
		'Stopping 40: 29 done, 1 failed, 1 unknown, 9 under way.',
	]);
	expect(urgentNews(at(1, 38, 1), at(0, 39, 1))).toEqual([
		'Stopped 39 of 40, 1 failed: kepler: already in progress. Press capital F to retry what failed.',
	]);
});
