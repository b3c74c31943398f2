import { expect, test } from 'vitest';
import { phaseOf, type Reading } from '../../source/fleet/computers/computer.ts';
import type { Operation, OperationId } from '../../source/fleet/operations/operation.ts';
import { type LatestReading, settlementOf } from '../../source/operations/outcome.ts';

const sentAt = 100_000;
const acceptedAt = 100_400;

function operation(id: OperationId, more: Partial<Operation> = {}): Operation {
	return {
		spec: { key: 'k', operation: id, computer: 'sb_1', port: 8080, version: '1.4.2' },
		stage: 'accepted',
		askedAt: 99_000,
		sentAt,
		acceptedAt,
		hasPhaseChanged: false,
		readingBefore: { id: 'sb_1', status: 'active', version: '1.3.9' },
		...more,
	};
}

function latest(status: string, askedAt = 101_000, more: Partial<Reading> = {}): LatestReading {
	const reading = { id: 'sb_1', status, version: '1.3.9', ...more };
	return { reading, phase: phaseOf(status), askedAt, isMissing: false };
}

const endOf = (...options: Parameters<typeof settlementOf>) => settlementOf(...options).end;

test('an operation is done when its computer has the status that the operation leads to', () => {
	expect(endOf(operation('start'), latest('active'))).toBe('settled');
	expect(endOf(operation('start'), latest('starting'))).toBe('settling');
	expect(endOf(operation('start'), latest('stopped'))).toBe('settling');
	expect(endOf(operation('stop'), latest('paused'))).toBe('settled');
	expect(endOf(operation('stop'), latest('stopping'))).toBe('settling');
	expect(endOf(operation('create'), latest('active'))).toBe('settled');
	expect(endOf(operation('create'), latest('provisioning'))).toBe('settling');
});

test('a read that began before the platform accepted an operation does not settle the operation', () => {
	expect(endOf(operation('stop'), latest('stopped', acceptedAt - 1))).toBe('settling');
	expect(endOf(operation('stop'), latest('stopped', acceptedAt))).toBe('settled');
});

test('an operation that was not sent is not settled', () => {
	const { sentAt: _, acceptedAt: __, ...unsent } = operation('stop', { stage: 'queued' });
	expect(endOf(unsent, latest('stopped'))).toBe('settling');
	expect(endOf(unsent, undefined)).toBe('settling');
});

test('an operation fails with the message of the platform when its computer reports an error', () => {
	expect(settlementOf(operation('start'), latest('error', 101_000, { error: 'no disk' }))).toEqual({
		end: 'failed',
		message: 'no disk',
	});
	expect(settlementOf(operation('update'), latest('error'))).toEqual({
		end: 'failed',
		message: 'the platform reports an error',
	});
});

test('an error from before an operation makes the operation fail only if the error stays', () => {
	const before = { id: 'sb_1', status: 'error' };
	expect(endOf(operation('restart', { readingBefore: before }), latest('error'))).toBe('settling');
	expect(
		endOf(operation('restart', { readingBefore: before }), latest('error', acceptedAt + 5_000)),
	).toBe('failed');
	expect(
		endOf(operation('restart', { readingBefore: before, hasPhaseChanged: true }), latest('error')),
	).toBe('failed');
});

test('a restart is done when a read has seen it happen, or after enough time', () => {
	expect(endOf(operation('restart'), latest('active'))).toBe('settling');
	expect(endOf(operation('restart', { hasPhaseChanged: true }), latest('active'))).toBe('settled');
	expect(endOf(operation('restart', { hasPhaseChanged: true }), latest('restarting'))).toBe(
		'settling',
	);
	expect(endOf(operation('restart'), latest('active', acceptedAt + 5_000))).toBe('settled');
	const before = { id: 'sb_1', status: 'active', startedAt: 1_000 };
	const restarted = latest('active', 101_000, { startedAt: 100_800 });
	expect(endOf(operation('restart', { readingBefore: before }), restarted)).toBe('settled');
	const imprecise = latest('active', 101_000, { startedAt: 2_500 });
	expect(endOf(operation('restart', { readingBefore: before }), imprecise)).toBe('settling');
});

test('a restart whose response was lost is not settled by time alone', () => {
	const { acceptedAt: _, ...unknown } = operation('restart', { stage: 'unknown' });
	expect(endOf(unknown, latest('active', sentAt + 60_000))).toBe('settling');
	expect(endOf({ ...unknown, hasPhaseChanged: true }, latest('active'))).toBe('settled');
});

test('an update is done when its computer has the requested version or a later one', () => {
	expect(endOf(operation('update'), latest('active', 200_000))).toBe('settling');
	expect(endOf(operation('update'), latest('updating', 101_000, { version: '1.4.2' }))).toBe(
		'settling',
	);
	expect(endOf(operation('update'), latest('active', 101_000, { version: '1.4.2' }))).toBe(
		'settled',
	);
	expect(endOf(operation('update'), latest('active', 101_000, { version: '1.5.0' }))).toBe(
		'settled',
	);
});

test('an update without a requested version is done when its computer has any other version', () => {
	const spec = { key: 'k', operation: 'update', computer: 'sb_1' } as const;
	expect(endOf(operation('update', { spec }), latest('active', 200_000))).toBe('settling');
	const other = latest('active', 101_000, { version: '1.4.0' });
	expect(endOf(operation('update', { spec }), other)).toBe('settled');
});

test('an update of a computer without a known version is settled like a restart', () => {
	const withoutVersion = (askedAt: number) => latest('active', askedAt, { version: null });
	expect(endOf(operation('update'), withoutVersion(101_000))).toBe('settling');
	expect(endOf(operation('update'), withoutVersion(acceptedAt + 5_000))).toBe('settled');
});

test('a delete is done when its computer is removed, not found or archived', () => {
	expect(endOf(operation('delete'), undefined)).toBe('settled');
	expect(endOf(operation('delete'), { ...latest('active'), isMissing: true })).toBe('settled');
	expect(endOf(operation('delete'), latest('archived'))).toBe('settled');
	expect(endOf(operation('delete'), latest('error'))).toBe('settling');
});

test('every operation on a removed computer fails, except a create that the list does not show yet', () => {
	expect(endOf(operation('stop'), undefined)).toBe('failed');
	expect(endOf(operation('stop'), latest('archived'))).toBe('failed');
	expect(endOf(operation('create'), undefined)).toBe('settling');
	expect(endOf(operation('create'), { ...latest('provisioning'), isMissing: true })).toBe(
		'settling',
	);
});

test('a publication is done when its response arrives, or, if the response was lost, when the ports show it', () => {
	expect(endOf(operation('publish'), latest('active'))).toBe('settled');
	expect(endOf(operation('unpublish'), undefined)).toBe('settled');
	const { acceptedAt: _, ...lost } = operation('publish', { stage: 'unknown' });
	expect(endOf(lost, latest('active'))).toBe('settling');
	expect(endOf(lost, latest('active', 101_000, { ports: [] }))).toBe('settling');
	expect(endOf(lost, latest('active', 101_000, { ports: [{ port: 8080 }] }))).toBe('settled');
	const back = { ...lost, spec: { ...lost.spec, operation: 'unpublish' as const } };
	expect(endOf(back, latest('active', 101_000, { ports: [] }))).toBe('settled');
	expect(endOf(back, latest('active', 101_000, { ports: [{ port: 8080 }] }))).toBe('settling');
});
