import { expect, test } from 'vitest';
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
	listRead,
	missed,
	operationFacts,
	statusRead,
} from '../arbitraries/sample-facts.ts';
import { minute, second } from '../durations.ts';

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
		...(isMissing ? [missed(acceptedAt + after, 'sb_1')] : []),
	);
	const outcome = outcomeOf(account, operation, 200_000);
	expect(outcome?.failure?.message ?? outcome?.stage ?? 'open').toBe(expected);
});

const sentAt = 10 * second;
const lostAt = 12 * second;
const late = lostAt + confirmAfterMs;

const atlas: Reading = { id: 'sb_1', name: 'atlas', status: 'active' };
const started: Reading = { ...atlas, startedAt: -minute };
const lost = { queued: second, sent: sentAt, unknown: lostAt };
const portAt = (at: number, read: 'status' | 'detail', ...numbers: number[]) =>
	fact(at, {
		type: 'computerRead',
		read,
		computer: { ...atlas, ports: read === 'detail' ? numbers.map(port => ({ port })) : undefined },
	});

function outcomeIn(now: number, ...facts: readonly Fact[]) {
	const account = accountAfter(...facts);
	const operation = account.operations.get('k');
	return operation && outcomeOf(account, operation, now);
}

const noReport = 'the platform does not report whether the operation was done';

// A read that began before the request, or too soon after it, proves nothing, and only one with ports tells of them.
test.each<[OperationId, Reading, Fact | undefined, string, boolean?]>([
	['stop', atlas, undefined, 'open'],
	['stop', atlas, statusRead(lostAt, atlas, sentAt - 1), 'open'],
	['stop', atlas, statusRead(late, atlas, late - 1), 'open'],
	['stop', atlas, statusRead(late, atlas), '32 s later the computer is still active', false],
	['stop', atlas, statusRead(lostAt + 1, { ...atlas, status: 'stopping' }), 'accepted'],
	['stop', atlas, statusRead(lostAt + 1, { ...atlas, status: 'stopped' }), 'done'],
	['restart', atlas, statusRead(late, atlas), noReport, true],
	['restart', started, statusRead(late, started), 'probably not done', false],
	['restart', started, statusRead(late, { ...started, startedAt: sentAt }), 'done'],
	['publish', { ...atlas, ports: [] }, portAt(late, 'status'), 'open'],
	['publish', { ...atlas, ports: [] }, portAt(late + 1, 'detail'), 'probably not done', false],
	['publish', { ...atlas, ports: [] }, portAt(late + 1, 'detail', 80), 'done'],
])(
	'%s of %j whose response was lost, after the read %j: %s',
	(operation, before, read, expected, isOutcomeUnknown) => {
		const spec = { key: 'k', operation, computer: 'sb_1', port: 80 };
		const facts = [listRead(0, [before]), ...operationFacts(spec, lost), ...(read ? [read] : [])];
		const outcome = outcomeIn(read?.at ?? lostAt, ...facts);
		expect(outcome?.failure?.message ?? outcome?.stage ?? 'open').toContain(expected);
		expect(outcome?.failure?.isOutcomeUnknown).toBe(isOutcomeUnknown);
	},
);

test.each([
	['accepted', lostAt + 30 * minute, 'still stopping after 30 min'],
	['unknown', sentAt + 60 * minute, 'nothing has shown in 1 h whether it was done'],
] as const)('what stays %s is followed until %i ms, and is then unknown', (stage, until, text) => {
	const times = { queued: second, sent: sentAt, [stage]: lostAt };
	const spec = { key: 'k', operation: 'stop', computer: 'sb_1' };
	const facts = [listRead(0, [atlas]), ...operationFacts(spec, times)];
	expect(outcomeIn(until, ...facts)).toBeUndefined();
	expect(outcomeIn(until + 1, ...facts)).toMatchObject({
		stage: 'failed',
		failure: { message: expect.stringContaining(text), isOutcomeUnknown: true },
	});
});

test('a partly unreadable list does not prove that no computer was created', () => {
	const create = operationFacts({ key: 'k', operation: 'create' }, lost);
	const partial = fact(late, { type: 'listRead', computers: [atlas], unreadable: 1 });
	const before = (...facts: readonly Fact[]) =>
		accountAfter(...facts, ...create).operations.get('k')?.idsBeforeCreate;
	expect(before(listRead(0, [atlas]))).toEqual(new Set(['sb_1']));
	expect(before(listRead(0, [atlas]), { ...partial, at: 1 })).toBeUndefined();
	const isUnknownAfter = (list: Fact) =>
		outcomeIn(late, listRead(0, [atlas]), ...create, list)?.failure?.isOutcomeUnknown;
	expect(isUnknownAfter(partial)).toBe(true);
	expect(isUnknownAfter(listRead(late, [atlas]))).toBe(false);
});

const old = { id: 'sb_3', createdAt: sentAt - 10 * minute };

// It has the right name and belongs to no other create; without a list before the create, it has to report its age.
test.each<[readonly Reading[], string, boolean, string | undefined]>([
	[[], 'web', true, undefined],
	[[{ id: 'sb_2', name: 'mail' }], 'web', true, undefined],
	[[{ id: 'sb_other' }], 'web', true, undefined],
	[[{ id: 'sb_2' }, { id: 'sb_3', name: 'web' }], 'web', true, 'sb_3'],
	[[{ id: 'sb_2', status: 'archived' }, { id: 'sb_3' }], 'web', true, 'sb_3'],
	[[{ id: 'sb_2', name: 'any' }], '', true, 'sb_2'],
	[[old, { id: 'sb_2', createdAt: sentAt }], 'web', true, 'sb_2'],
	[[{ id: 'sb_2' }], '', false, undefined],
	[[{ id: 'sb_2', createdAt: sentAt }], '', false, 'sb_2'],
])(
	'of the new computers %j, the one of a create of “%s” (with a list before: %s) is %s',
	(computers, name, isListed, found) => {
		const wish = { key: 'k', operation: 'create', name };
		const account = accountAfter(
			...(isListed ? [listRead(0, [atlas])] : []),
			...operationFacts(wish, { queued: second, sent: sentAt }),
			...operationFacts({ ...wish, key: 'o', computer: 'sb_other' }, { queued: second }),
			listRead(late, [atlas, ...computers]),
		);
		const operation = account.operations.get('k');
		expect(operation && computerOfLostCreate(account, operation)?.id).toBe(found);
	},
);
