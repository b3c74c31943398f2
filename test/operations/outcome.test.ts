import { describe, expect, test } from 'vitest';
import type { Reading } from '../../source/fleet/computers/computer.ts';
import type { Fact } from '../../source/fleet/fact.ts';
import type { Operation, OperationId } from '../../source/fleet/operations/operation.ts';
import {
	computerOfLostCreate,
	confirmAfterMs,
	outcomeOf,
} from '../../source/operations/outcome.ts';
import {
	accountAfter,
	fact,
	failure,
	listRead,
	operationFacts,
	statusRead,
} from '../arbitraries/sample-facts.ts';

const requestedAt = 100_000;
const acceptedAt = 100_400;

/** A reading whose request was sent after this time since the acceptance. */
type Latest = Partial<Reading> & { status: string; after?: number; isMissing?: boolean };

const version = '1.4.2';
const responseLost = { stage: 'unknown', acceptedAt: undefined, endedAt: 190_000 } as const;
const unsent = { stage: 'queued', sentAt: undefined, acceptedAt: undefined } as const;
const wasInError = { readingBefore: { id: 'sb_1', status: 'error' } };
const startedBefore = { readingBefore: { id: 'sb_1', status: 'active', startedAt: 1_000 } };
const changed = { hasPhaseChanged: true };
const noVersion = { spec: { key: 'k', operation: 'update', computer: 'sb_1' } };
const ports = [{ port: 8080 }];

test.each<[OperationId, Partial<Operation>, Latest | 'removed', string]>([
	['start', {}, { status: 'active' }, 'done'],
	['start', {}, { status: 'starting' }, 'open'],
	['start', {}, { status: 'stopped' }, 'open'],
	['stop', {}, { status: 'paused' }, 'done'],
	['stop', {}, { status: 'stopping' }, 'open'],
	['create', {}, { status: 'active' }, 'done'],
	['create', {}, { status: 'provisioning' }, 'open'],
	// A read that began before the acceptance, or an operation that was not sent, decides nothing.
	['stop', {}, { status: 'stopped', after: -1 }, 'open'],
	['stop', {}, { status: 'stopped', after: 0 }, 'done'],
	['stop', unsent, { status: 'stopped' }, 'open'],
	['stop', unsent, 'removed', 'open'],
	// An error fails the operation, with its reason, unless it is the one from before.
	['start', {}, { status: 'error', error: 'no disk' }, 'no disk'],
	['update', {}, { status: 'error', error: null }, 'the platform reports an error'],
	// The list says only that the computer is in error; its status is about to say why.
	['start', {}, { status: 'error' }, 'open'],
	['restart', wasInError, { status: 'error' }, 'open'],
	[
		'restart',
		wasInError,
		{ status: 'error', error: null, after: 5_000 },
		'the platform reports an error',
	],
	[
		'restart',
		{ ...wasInError, ...changed },
		{ status: 'error', error: null },
		'the platform reports an error',
	],
	// A restart was seen to happen, has a new start, or began long enough ago; if its response was lost, time proves nothing.
	['restart', {}, { status: 'active' }, 'open'],
	['restart', {}, { status: 'active', after: 5_000 }, 'done'],
	['restart', changed, { status: 'active' }, 'done'],
	['restart', changed, { status: 'restarting' }, 'open'],
	['restart', startedBefore, { status: 'active', startedAt: 100_800 }, 'done'],
	['restart', startedBefore, { status: 'active', startedAt: 2_500 }, 'open'],
	['restart', responseLost, { status: 'active', after: 60_000 }, 'open'],
	['restart', { ...responseLost, ...changed }, { status: 'active' }, 'done'],
	// An update has the requested version or a later one; any other version if none was requested.
	['update', {}, { status: 'active', after: 99_000 }, 'open'],
	['update', {}, { status: 'updating', version }, 'open'],
	['update', {}, { status: 'active', version }, 'done'],
	['update', {}, { status: 'active', version: '1.5.0' }, 'done'],
	['update', noVersion, { status: 'active', after: 99_000 }, 'open'],
	['update', noVersion, { status: 'active', version: '1.4.0' }, 'done'],
	['update', {}, { status: 'active', version: null }, 'open'],
	['update', {}, { status: 'active', version: null, after: 5_000 }, 'done'],
	// A delete is done when the computer is not there; everything else fails then, except a create that is not listed yet.
	['delete', {}, 'removed', 'done'],
	['delete', {}, { status: 'active', isMissing: true }, 'done'],
	['delete', {}, { status: 'archived' }, 'done'],
	['delete', {}, { status: 'error' }, 'open'],
	['stop', {}, 'removed', 'the computer is gone'],
	['stop', {}, { status: 'archived' }, 'the computer was removed'],
	['publish', responseLost, 'removed', 'the computer is gone'],
	['create', {}, 'removed', 'open'],
	['create', {}, { status: 'provisioning', isMissing: true }, 'open'],
	// The acceptance of a port settles it; after a lost response, the ports do.
	['publish', {}, { status: 'active' }, 'done'],
	['unpublish', {}, 'removed', 'done'],
	['publish', responseLost, { status: 'active' }, 'open'],
	['publish', responseLost, { status: 'active', ports: [] }, 'open'],
	['publish', responseLost, { status: 'active', ports }, 'done'],
	['unpublish', responseLost, { status: 'active', ports: [] }, 'done'],
	['unpublish', responseLost, { status: 'error', ports: [] }, 'done'],
	['unpublish', responseLost, { status: 'active', ports }, 'open'],
])('%s %j, of which a read says %j, is %s', (id, more, seen, expected) => {
	const operation: Operation = {
		spec: { key: 'k', operation: id, computer: 'sb_1', port: 8080, version },
		stage: 'accepted',
		askedAt: 99_000,
		sentAt: requestedAt,
		acceptedAt,
		hasPhaseChanged: false,
		readingBefore: { id: 'sb_1', status: 'active', version: '1.3.9' },
		...more,
	};
	const { after = 600, isMissing = false, ...reading } = seen === 'removed' ? { status: '' } : seen;
	const computer = { id: 'sb_1', version: '1.3.9', ...reading };
	const account = accountAfter(
		listRead(acceptedAt + after, seen === 'removed' ? [] : [computer]),
		...(isMissing
			? [
					fact(acceptedAt + after, {
						type: 'computerRead',
						read: 'status',
						computer: { id: 'sb_1' },
						isMissing: true,
					}),
				]
			: []),
	);
	const outcome = outcomeOf(account, operation, 200_000);
	expect(outcome?.failure?.message ?? outcome?.stage ?? 'open').toBe(expected);
});

const second = 1_000;
const minute = 60 * second;
const sentAt = 10 * second;
const lostAt = 12 * second;

const atlas: Reading = { id: 'sb_1', name: 'atlas', status: 'active' };
const lost = { queued: second, sent: sentAt, unknown: lostAt };

/** Returns the outcome of an operation whose response was lost, after these facts. */
function outcomeAfter(operation: OperationId, before: Reading, ...later: readonly Fact[]) {
	const spec = { key: 'k', operation, computer: before.id };
	return outcomeIn(listRead(0, [before]), ...operationFacts(spec, lost), ...later);
}

function outcomeIn(...facts: readonly Fact[]) {
	const account = accountAfter(...facts);
	const operation = account.operations.get('k');
	const now = facts.at(-1)?.at ?? 0;
	return operation && outcomeOf(account, operation, now);
}

const late = lostAt + confirmAfterMs;

describe('after a lost response', () => {
	test('a read that began before the request, or too soon after the request, proves nothing', () => {
		expect(outcomeAfter('stop', atlas)).toBeUndefined();
		expect(outcomeAfter('stop', atlas, statusRead(lostAt, atlas, sentAt - 1))).toBeUndefined();
		expect(outcomeAfter('stop', atlas, statusRead(late, atlas, late - 1))).toBeUndefined();
	});

	test('an operation was probably not done when the status is still the same long afterwards', () => {
		expect(outcomeAfter('stop', atlas, statusRead(late, atlas))).toMatchObject({
			stage: 'failed',
			failure: {
				message: `${failure.message}, and 32 s later the computer is still active: probably not done`,
				isOutcomeUnknown: false,
			},
		});
	});

	test('an operation counts as accepted while its computer is changing, and is settled when the change is complete', () => {
		const stopping = { ...atlas, status: 'stopping' };
		expect(outcomeAfter('stop', atlas, statusRead(lostAt + 1, stopping))).toMatchObject({
			stage: 'accepted',
		});
		const stopped = { ...atlas, status: 'stopped' };
		expect(outcomeAfter('stop', atlas, statusRead(lostAt + 1, stopped))).toMatchObject({
			stage: 'done',
		});
	});

	test('the outcome of a restart stays unknown unless the platform reports when the computer started', () => {
		expect(outcomeAfter('restart', atlas, statusRead(late, atlas))).toMatchObject({
			stage: 'failed',
			failure: {
				message: `${failure.message}, and the platform does not report whether the operation was done`,
				isOutcomeUnknown: true,
			},
		});
		const started = { ...atlas, startedAt: -minute };
		expect(outcomeAfter('restart', started, statusRead(late, started))).toMatchObject({
			failure: { isOutcomeUnknown: false },
		});
		expect(
			outcomeAfter('restart', started, statusRead(late, { ...started, startedAt: sentAt })),
		).toMatchObject({
			stage: 'done',
		});
	});

	test('only a read that includes ports decides the outcome of a publish or an unpublish', () => {
		const published = (at: number, ports: Reading['ports']) => [
			listRead(0, [{ ...atlas, ports: [] }]),
			...operationFacts({ key: 'k', operation: 'publish', computer: 'sb_1', port: 80 }, lost),
			statusRead(late, atlas),
			...(ports
				? [fact(at, { type: 'computerRead', read: 'detail', computer: { ...atlas, ports } })]
				: []),
		];
		expect(outcomeIn(...published(late, null))).toBeUndefined();
		expect(outcomeIn(...published(late + 1, []))).toMatchObject({ stage: 'failed' });
		expect(outcomeIn(...published(late + 1, [{ port: 80 }]))).toMatchObject({
			stage: 'done',
		});
	});
});

test('an accepted operation without an outcome fails after half an hour, and not before', () => {
	const outcomeAt = (at: number) =>
		outcomeIn(
			listRead(0, [atlas]),
			...operationFacts(
				{ key: 'k', operation: 'stop', computer: 'sb_1' },
				{ queued: second, sent: sentAt, accepted: lostAt },
			),
			statusRead(at, atlas),
		);
	expect(outcomeAt(lostAt + 30 * minute)).toBeUndefined();
	expect(outcomeAt(lostAt + 30 * minute + 1)).toMatchObject({
		stage: 'failed',
		failure: { message: 'still stopping after 30 min', isOutcomeUnknown: true },
	});
});

test('an unknown outcome that nothing reveals stays unknown after an hour, and is looked up until then', () => {
	const spec = { key: 'k', operation: 'stop', computer: 'sb_1' };
	const facts = [listRead(0, [atlas]), ...operationFacts(spec, lost)];
	const account = accountAfter(...facts);
	const operation = account.operations.get('k');
	const outcomeAt = (at: number) => operation && outcomeOf(account, operation, at);
	expect(outcomeAt(sentAt + 60 * minute)).toBeUndefined();
	expect(outcomeAt(sentAt + 60 * minute + 1)).toMatchObject({
		stage: 'failed',
		failure: {
			message: `${failure.message}, and nothing has shown in 1 h whether it was done`,
			isOutcomeUnknown: true,
		},
	});
});

test('a partly unreadable list does not prove that no computer was created', () => {
	const create = operationFacts({ key: 'k', operation: 'create' }, lost);
	const partial = fact(late, { type: 'listRead', computers: [atlas], unreadable: 1 });
	const before = (...facts: readonly Fact[]) =>
		accountAfter(...facts, ...create).operations.get('k')?.idsBeforeCreate;
	expect(before(listRead(0, [atlas]))).toEqual(new Set(['sb_1']));
	expect(before(listRead(0, [atlas]), { ...partial, at: 1 })).toBeUndefined();

	const outcomeWith = (...facts: readonly Fact[]) => {
		const account = accountAfter(listRead(0, [atlas]), ...create, ...facts);
		const operation = account.operations.get('k');
		return operation && outcomeOf(account, operation, late);
	};
	expect(outcomeWith(partial)).toMatchObject({ failure: { isOutcomeUnknown: true } });
	expect(outcomeWith(listRead(late, [atlas]))).toMatchObject({
		failure: { isOutcomeUnknown: false },
	});
});

describe('the computer of a create whose response was lost', () => {
	const wish = { key: 'k', operation: 'create' as const, name: 'web' };
	const newOf = (computers: readonly Reading[], name = wish.name, isKnown = true) => {
		const account = accountAfter(
			...(isKnown ? [listRead(0, [atlas])] : []),
			...operationFacts({ ...wish, name }, { queued: second, sent: sentAt }),
			...operationFacts({ ...wish, key: 'o', computer: 'sb_other' }, { queued: second }),
			listRead(late, [atlas, ...computers]),
		);
		const operation = account.operations.get('k');
		return operation && computerOfLostCreate(account, operation)?.id;
	};

	test('is a new computer with the right name that belongs to no other create', () => {
		expect(newOf([])).toBeUndefined();
		expect(newOf([{ id: 'sb_2', name: 'mail' }])).toBeUndefined();
		expect(newOf([{ id: 'sb_other' }])).toBeUndefined();
		expect(newOf([{ id: 'sb_2' }, { id: 'sb_3', name: 'web' }])).toBe('sb_3');
		expect(newOf([{ id: 'sb_2', status: 'archived' }, { id: 'sb_3' }])).toBe('sb_3');
		expect(newOf([{ id: 'sb_2', name: 'any' }], '')).toBe('sb_2');
		const old = { id: 'sb_3', createdAt: sentAt - 10 * minute };
		expect(newOf([old, { id: 'sb_2', createdAt: sentAt }])).toBe('sb_2');
	});

	test('must report its age when no list was read before the create', () => {
		expect(newOf([{ id: 'sb_2' }], '', false)).toBeUndefined();
		expect(newOf([{ id: 'sb_2', createdAt: sentAt }], '', false)).toBe('sb_2');
	});
});
