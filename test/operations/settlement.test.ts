import { expect, test } from 'vitest';
import { phaseOf, type Reading } from '../../source/fleet/computers/computer.ts';
import type { Operation, OperationId } from '../../source/fleet/operations/operation.ts';
import { settlementOf } from '../../source/operations/outcome.ts';

const sentAt = 100_000;
const acceptedAt = 100_400;

/** A reading whose request was sent after this time since the acceptance. */
type Latest = Partial<Reading> & { status: string; after?: number; isMissing?: boolean };

const version = '1.4.2';
const lost = { stage: 'unknown', acceptedAt: undefined } as const;
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
	['update', {}, { status: 'error' }, 'the platform reports an error'],
	['restart', wasInError, { status: 'error' }, 'open'],
	['restart', wasInError, { status: 'error', after: 5_000 }, 'the platform reports an error'],
	['restart', { ...wasInError, ...changed }, { status: 'error' }, 'the platform reports an error'],
	// A restart was seen to happen, has a new start, or began long enough ago; if its response was lost, time proves nothing.
	['restart', {}, { status: 'active' }, 'open'],
	['restart', {}, { status: 'active', after: 5_000 }, 'done'],
	['restart', changed, { status: 'active' }, 'done'],
	['restart', changed, { status: 'restarting' }, 'open'],
	['restart', startedBefore, { status: 'active', startedAt: 100_800 }, 'done'],
	['restart', startedBefore, { status: 'active', startedAt: 2_500 }, 'open'],
	['restart', lost, { status: 'active', after: 60_000 }, 'open'],
	['restart', { ...lost, ...changed }, { status: 'active' }, 'done'],
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
	['publish', lost, 'removed', 'the computer is gone'],
	['create', {}, 'removed', 'open'],
	['create', {}, { status: 'provisioning', isMissing: true }, 'open'],
	// The acceptance of a port settles it; after a lost response, the ports do.
	['publish', {}, { status: 'active' }, 'done'],
	['unpublish', {}, 'removed', 'done'],
	['publish', lost, { status: 'active' }, 'open'],
	['publish', lost, { status: 'active', ports: [] }, 'open'],
	['publish', lost, { status: 'active', ports }, 'done'],
	['unpublish', lost, { status: 'active', ports: [] }, 'done'],
	['unpublish', lost, { status: 'error', ports: [] }, 'done'],
	['unpublish', lost, { status: 'active', ports }, 'open'],
])('%s %j, of which a read says %j, is %s', (id, more, seen, expected) => {
	const operation: Operation = {
		spec: { key: 'k', operation: id, computer: 'sb_1', port: 8080, version },
		stage: 'accepted',
		askedAt: 99_000,
		sentAt,
		acceptedAt,
		hasPhaseChanged: false,
		readingBefore: { id: 'sb_1', status: 'active', version: '1.3.9' },
		...more,
	};
	const { after = 600, isMissing = false, ...reading } = seen === 'removed' ? { status: '' } : seen;
	const latest = {
		reading: { id: 'sb_1', version: '1.3.9', ...reading },
		phase: phaseOf(reading.status),
		askedAt: acceptedAt + after,
		isMissing,
	};
	const settlement = settlementOf(operation, seen === 'removed' ? undefined : latest, 200_000);
	expect(settlement?.failure?.message ?? settlement?.stage ?? 'open').toBe(expected);
});
