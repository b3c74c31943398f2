import fc from 'fast-check';
import { accountEvents, type Change } from '../../source/fleet/change.ts';
import type { CreditSample } from '../../source/fleet/computers/runway.ts';
import type { OperationId, OperationSpec } from '../../source/fleet/operations/operation.ts';
import {
	amount,
	hour,
	id,
	key,
	maybe,
	portNumber,
	record,
	status,
	text,
	time,
	version,
} from './values.ts';

export const operation = fc.constantFrom<OperationId>(
	...(['create', 'start', 'stop', 'restart', 'update', 'delete', 'publish', 'unpublish'] as const),
);

export const operationSpec = record<OperationSpec>({
	key,
	operation,
	computer: maybe(id),
	name: maybe(text),
	port: maybe(portNumber),
	version: maybe(version),
	batch: maybe(fc.constantFrom('b1', 'b2')),
});

const changes: {
	readonly [T in Change['type']]: fc.Arbitrary<Extract<Change, { type: T }>>;
} = {
	statusChanged: record({
		type: fc.constant('statusChanged'),
		at: time,
		notBefore: time,
		id,
		name: maybe(text),
		from: fc.option(status),
		to: fc.option(status),
		lasted: maybe(fc.nat(90 * hour)),
		reason: maybe(fc.constantFrom('asked', 'asleep', 'credits', 'unknown')),
		error: maybe(text),
	}),
	operationMoved: record({
		type: fc.constant('operationMoved'),
		at: time,
		wish: operationSpec,
		to: fc.constantFrom('sent', 'settled', 'failed', 'unknown', 'cancelled'),
		took: fc.nat(hour),
		who: maybe(text),
		message: maybe(text),
	}),
	toppedUp: record({
		type: fc.constant('toppedUp'),
		at: time,
		notBefore: time,
		from: amount,
		to: amount,
	}),
	accountNoted: record({
		type: fc.constant('accountNoted'),
		at: time,
		notBefore: time,
		event: fc.constantFrom(...accountEvents),
		message: maybe(text),
	}),
	hookFailed: record({
		type: fc.constant('hookFailed'),
		at: time,
		notBefore: time,
		hook: text,
		message: text,
	}),
	released: record({
		type: fc.constant('released'),
		at: time,
		notBefore: time,
		from: version,
		to: version,
	}),
};

export const change: fc.Arbitrary<Change> = fc.oneof(...Object.values(changes));

export const creditSample: fc.Arbitrary<CreditSample> = fc.record({ at: time, balance: amount });
