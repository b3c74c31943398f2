import { describe, expect, test } from 'vitest';
import type { Fact } from '../../source/fleet/fact.ts';
import { keysThatMayDiffer } from '../../source/foundation/layered-map.ts';
import { settlementInStore } from '../../source/operations/settlement.ts';
import { fold } from '../../source/store/fold.ts';
import { createRowsSelector } from '../../source/store/selectors.ts';
import { emptyAccount, emptyState } from '../../source/store/state.ts';
import {
	account,
	accountAfter,
	fact,
	failure,
	listRead,
	operationAsked,
	operationStep,
	statusRead,
} from '../arbitraries/sample-facts.ts';

const atlas = { id: 'sb_1', name: 'atlas', status: 'active', version: '1.3.9' };
const fleet = listRead(1_000, [atlas]);
const signedIn = fact(1, { type: 'signedIn', email: 'owner@example.com' });

const stopped: readonly Fact[] = [
	signedIn,
	fleet,
	operationAsked(2_000, 'stop', 'sb_1'),
	operationStep(2_500, 'operationSent'),
	operationStep(2_800, 'operationAccepted'),
];

function endAfter(...facts: readonly Fact[]) {
	const state = accountAfter(...facts);
	const operation = state.operations.get('k');
	return operation && settlementInStore(state, operation).end;
}

test('each step of an operation is logged, and an operation that is settled is removed', () => {
	const state = accountAfter(...stopped, operationStep(9_000, 'operationSettled'));
	expect(state.operations.size).toBe(0);
	const wish = { key: 'k', operation: 'stop', computer: 'sb_1' };
	const who = 'owner@example.com';
	expect(state.changes).toEqual([
		{ type: 'operationMoved', at: 2_500, wish, to: 'sent', took: 0, who },
		{ type: 'operationMoved', at: 9_000, wish, to: 'settled', took: 6_500, who },
	]);
});

test('an operation is in the row of its computer while it is under way', () => {
	const state = accountAfter(...stopped);
	const [row] = createRowsSelector('test')(state);
	expect(row?.operation).toMatchObject({ stage: 'accepted', sentAt: 2_500, acceptedAt: 2_800 });
	expect(row?.operation?.readingBefore).toEqual(atlas);
});

test('an operation ends only by a read that was sent after the platform accepted the operation', () => {
	expect(endAfter(...stopped)).toBe('settling');
	const early = statusRead(3_000, { id: 'sb_1', status: 'stopped' }, 2_700);
	expect(endAfter(...stopped, early)).toBe('settling');
	expect(endAfter(...stopped, listRead(3_100, [{ ...atlas, status: 'stopped' }], 2_900))).toBe(
		'settled',
	);
});

test('a restart is done when the status in between was seen', () => {
	const restart = [
		fleet,
		operationAsked(2_000, 'restart', 'sb_1'),
		operationStep(2_500, 'operationSent'),
		operationStep(2_800, 'operationAccepted'),
	];
	const again = statusRead(4_000, atlas, 3_900);
	expect(endAfter(...restart, again)).toBe('settling');
	const between = statusRead(3_000, { id: 'sb_1', status: 'restarting' }, 2_900);
	expect(endAfter(...restart, between)).toBe('settling');
	expect(endAfter(...restart, between, again)).toBe('settled');
});

test('the response to a create adds the new computer to the fleet', () => {
	const state = accountAfter(
		fleet,
		fact(2_000, { type: 'operationAsked', wish: { key: 'k', operation: 'create', name: 'lyra' } }),
		operationStep(2_100, 'operationSent'),
		fact(2_600, {
			type: 'operationAccepted',
			key: 'k',
			reading: { id: 'sb_9', status: 'provisioning', stage: 'creating' },
		}),
	);
	expect(state.operations.get('k')?.spec.computer).toBe('sb_9');
	expect(state.computers.get('sb_9')).toMatchObject({
		phase: 'creating',
		reading: { id: 'sb_9', name: 'lyra', status: 'provisioning', stage: 'creating' },
		since: { at: 2_600, isLowerBound: false },
	});
});

test('a creation without a name is reported with the name that the platform chose', () => {
	const asked = [operationAsked(2_000, 'create'), operationStep(2_100, 'operationSent')];
	const named = { id: 'sb_9', name: 'octans-21', status: 'provisioning' };
	const byResponse = [
		...asked,
		fact(2_600, { type: 'operationAccepted', key: 'k', reading: named }),
	];
	const byLaterList = [
		...asked,
		fact(2_600, { type: 'operationAccepted', key: 'k', computer: 'sb_9' }),
		listRead(3_000, [named]),
	];
	const accepted = accountAfter(...byResponse);
	expect(accepted.operations.get('k')?.spec.name).toBe('octans-21');
	expect(accepted.changes[0]).toMatchObject({ to: 'sent', wish: { name: 'octans-21' } });
	for (const facts of [byResponse, byLaterList]) {
		const { changes } = accountAfter(...facts, operationStep(9_000, 'operationSettled'));
		const settled = { type: 'operationMoved', to: 'settled', wish: { name: 'octans-21' } };
		expect(changes.at(-1)).toMatchObject(settled);
	}
});

test('a create does not fail while its new computer is not found yet', () => {
	const facts = [
		operationAsked(2_000, 'create'),
		operationStep(2_100, 'operationSent'),
		fact(2_600, { type: 'operationAccepted', key: 'k', computer: 'sb_9' }),
		fact(3_000, { type: 'computerMissed', id: 'sb_9' }),
	];
	expect(accountAfter(...facts).computers.get('sb_9')?.isMissing).toBe(true);
	expect(endAfter(...facts)).toBe('settling');
});

test('a deleted computer is removed, and a late answer about the computer is ignored', () => {
	const facts = [
		fleet,
		operationAsked(2_000, 'delete', 'sb_1'),
		operationStep(2_100, 'operationSent'),
		operationStep(2_400, 'operationAccepted'),
		fact(5_000, { type: 'computerMissed', id: 'sb_1' }, 4_900),
	];
	expect(endAfter(...facts)).toBe('settled');
	const state = accountAfter(
		...facts,
		operationStep(5_001, 'operationSettled'),
		listRead(5_100, [atlas], 4_800),
	);
	expect(state.computers.size).toBe(0);
	expect(state.changes.map(change => [change.type, 'to' in change && change.to])).toEqual([
		['operationMoved', 'sent'],
		['operationMoved', 'settled'],
		['statusChanged', null],
	]);
	expect(state.changes.at(-1)).toMatchObject({ reason: 'asked' });
});

test('the responses to publish and unpublish change the ports of the computer', () => {
	const publish = (key: string, port: number, operation: 'publish' | 'unpublish'): Fact[] => [
		{
			account,
			at: 2_000,
			type: 'operationAsked',
			wish: { key, operation, computer: 'sb_1', port },
		},
		operationStep(2_100, 'operationSent', key),
		fact(2_200, { type: 'operationAccepted', key, published: { port, url: 'https://a.example' } }),
		operationStep(2_201, 'operationSettled', key),
	];
	const published = accountAfter(
		fleet,
		...publish('a', 8080, 'publish'),
		...publish('b', 5173, 'publish'),
	);
	const ports = published.computers.get('sb_1')?.reading.ports;
	expect(ports?.map(({ port }) => port)).toEqual([8080, 5173]);
	const ended = accountAfter(
		fleet,
		...publish('a', 8080, 'publish'),
		...publish('b', 8080, 'unpublish'),
	);
	expect(ended.computers.get('sb_1')?.reading.ports).toBeUndefined();
	const manyPorts = [{ port: 80 }, { port: 8080, omittedAfter: 30 }];
	const many = [fleet, listRead(1_500, [{ id: 'sb_1', status: 'active', ports: manyPorts }])];
	const oneFewer = accountAfter(...many, ...publish('a', 80, 'unpublish'));
	expect(oneFewer.computers.get('sb_1')?.reading.ports).toEqual(manyPorts.slice(1));
	const withoutMark = accountAfter(...many, ...publish('a', 8080, 'unpublish'));
	expect(withoutMark.computers.get('sb_1')?.reading.ports).toBeUndefined();
});

test('a failed operation stays until a person has seen it, or until the next operation on its computer', () => {
	const failed = [...stopped, fact(6_000, { type: 'operationFailed', key: 'k', failure })] as const;
	const state = accountAfter(...failed);
	expect(state.operations.get('k')).toMatchObject({ stage: 'failed', endedAt: 6_000, failure });
	expect(state.changes.at(-1)).toMatchObject({ to: 'failed', message: 'internal error' });
	expect(accountAfter(...failed, operationStep(7_000, 'operationSeen')).operations.size).toBe(0);
	const again = accountAfter(...failed, operationAsked(7_000, 'stop', 'sb_1', 'again'));
	expect([...again.operations.keys()]).toEqual(['again']);
	const gone = accountAfter(...failed, listRead(7_000, []));
	expect(gone.operations.size).toBe(0);
});

test('an unknown outcome can still be resolved after a person has seen it', () => {
	const lost = [
		...stopped.slice(0, 4),
		fact(9_000, { type: 'operationUnknown', key: 'k', failure }),
	];
	const state = accountAfter(...lost, operationStep(9_500, 'operationSeen'));
	expect(state.operations.get('k')).toMatchObject({ stage: 'unknown' });
	expect(endAfter(...lost, statusRead(9_900, { id: 'sb_1', status: 'stopped' }))).toBe('settled');
});

test('only the latest failed creates stay in the state', () => {
	const facts = Array.from({ length: 100 }, (_, place) => [
		operationAsked(place, 'create', undefined, `k${place}`),
		fact(place, { type: 'operationFailed', key: `k${place}`, failure }),
	]).flat();
	expect(accountAfter(...facts).operations.size).toBeLessThan(25);
});

test('a cancelled operation is removed, and facts about unknown operations are ignored', () => {
	const cancelled = fact(3_000, { type: 'operationCancelled', key: 'k' });
	const state = accountAfter(fleet, operationAsked(2_000, 'stop', 'sb_1'), cancelled);
	expect(state.operations.size).toBe(0);
	expect(state.changes).toMatchObject([{ to: 'cancelled' }]);
	expect(accountAfter(fleet, cancelled, operationStep(4_000, 'operationSettled')).changes).toEqual(
		[],
	);
});

describe('the stage of an operation', () => {
	const wish = { key: 'k', operation: 'stop', computer: 'sb_1' };
	const asked = fact(0, { type: 'operationAsked', wish, graceEndsAt: 4_000 });
	const held = fact(1, { type: 'countdownHeld', keys: ['k'], leftMs: 3_000 });
	const restarted = fact(2, { type: 'countdownRestarted', keys: ['k'], endsAt: 6_000 });
	const ended = fact(3, { type: 'countdownEnded', keys: ['k'] });
	const sent = fact(4, { type: 'operationSent', key: 'k' });
	const operationAfter = (...facts: readonly Fact[]) => accountAfter(...facts).operations.get('k');

	test('follows its countdown until the request is sent', () => {
		expect(operationAfter(asked)).toMatchObject({ stage: 'counting', graceEndsAt: 4_000 });
		expect(operationAfter(asked, held)).toMatchObject({ stage: 'held', heldGraceMs: 3_000 });
		expect(operationAfter(asked, held)).not.toHaveProperty('graceEndsAt');
		expect(operationAfter(asked, held, restarted)).toMatchObject({
			stage: 'counting',
			graceEndsAt: 6_000,
		});
		const queued = operationAfter(asked, held, restarted, ended);
		expect(queued?.stage).toBe('queued');
		expect(queued).not.toHaveProperty('graceEndsAt');
		expect(operationAfter(asked, ended, sent)?.stage).toBe('sent');
	});

	test('is queued without a countdown, as in the recordings of earlier versions', () => {
		expect(operationAfter(fact(0, { type: 'operationAsked', wish }))?.stage).toBe('queued');
	});

	test('ignores a countdown after the request was sent', () => {
		expect(operationAfter(asked, ended, sent, held)?.stage).toBe('sent');
	});

	test('ends when the operation is done or cancelled', () => {
		const done = accountAfter(asked, ended, sent, operationStep(5, 'operationSettled'));
		expect(done.operations.size).toBe(0);
		expect(done.endedOperations.get('k')?.stage).toBe('done');
		const cancelled = accountAfter(asked, held, operationStep(5, 'operationCancelled'));
		expect(cancelled.operations.size).toBe(0);
		expect(cancelled.endedOperations.get('k')?.stage).toBe('cancelled');
	});
});

describe('how an operation ended', () => {
	const askedIn = (batch: string, key: string) =>
		fact(1, { type: 'operationAsked', wish: { key, operation: 'stop', computer: key, batch } });
	const failed = fact(2, { type: 'operationFailed', key: 'k', failure });

	const settled = (key: string) => fact(2, { type: 'operationSettled', key });

	test('stays known when a person starts other operations, until 200 later ones have ended', () => {
		const keys = Array.from({ length: 201 }, (_, at) => `later ${at}`);
		const later = (some: readonly string[]) =>
			some.flatMap(key => [operationAsked(3, 'stop', key, key), settled(key)]);
		const first = [askedIn('a', 'k'), settled('k'), askedIn('a', 'k2')];
		const ended = (...facts: readonly Fact[]) => accountAfter(...first, ...facts).endedOperations;
		expect([...ended().keys()]).toEqual(['k']);
		expect(ended(askedIn('b', 'k3')).has('k')).toBe(true);
		expect(ended(...later(keys.slice(0, 200))).has('k')).toBe(true);
		expect(ended(...later(keys)).has('k')).toBe(false);
		expect(ended(...later(keys), operationAsked(4, 'stop', 'sb_3', 'k3')).size).toBe(200);
	});

	test('is complete for the batch of the last question, however many operations it has', () => {
		const keys = Array.from({ length: 300 }, (_, at) => `k${at}`);
		const facts = [...keys.map(key => askedIn('a', key)), ...keys.map(settled)];
		expect(accountAfter(...facts, askedIn('a', 'last')).endedOperations.size).toBe(300);
	});

	test('is known after a later operation on the same computer has replaced the failure', () => {
		const again = fact(3, {
			type: 'operationAsked',
			wish: { key: 'k2', operation: 'stop', computer: 'k' },
		});
		const { endedOperations } = accountAfter(askedIn('a', 'k'), failed, again);
		expect(endedOperations.get('k')?.stage).toBe('failed');
	});

	test('is still known when its failure was seen, or its computer was removed', () => {
		const seen = accountAfter(askedIn('a', 'k'), failed, operationStep(3, 'operationSeen'));
		expect(seen.endedOperations.get('k')).toMatchObject({ stage: 'failed', failure });
		const here = listRead(0, [{ id: 'k', status: 'active' }]);
		const gone = accountAfter(here, askedIn('a', 'k'), failed, listRead(4, []));
		expect(gone.operations.size).toBe(0);
		expect(gone.endedOperations.get('k')?.stage).toBe('failed');
	});
});

test('asking, sending and accepting one operation of many copies none of the other operations and computers', () => {
	const computers = Array.from({ length: 200 }, (_, n) => ({ id: `sb_${n}`, status: 'active' }));
	const asked = computers.map(({ id }) => operationAsked(2_000, 'stop', id, id));
	const steps = [
		operationAsked(3_000, 'stop', 'sb_7', 'another'),
		operationStep(4_000, 'operationSent', 'sb_9'),
		operationStep(5_000, 'operationAccepted', 'sb_9'),
	];
	let state = [listRead(1_000, computers), ...asked].reduce(fold, emptyState);
	const inAccount = () => state.accounts.get(account) ?? emptyAccount;
	const changed = steps.map(step => {
		const before = inAccount();
		state = fold(state, step);
		const after = inAccount();
		expect(keysThatMayDiffer(before.computers, after.computers)?.size).toBeLessThan(2);
		return keysThatMayDiffer(before.operations, after.operations)?.size;
	});
	// A new operation on a computer removes only earlier failures on it.
	for (const count of changed) expect(count).toBeLessThanOrEqual(64);
	expect(inAccount().operations.get('sb_9')?.stage).toBe('accepted');
});
