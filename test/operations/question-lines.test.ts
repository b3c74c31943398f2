import { describe, expect, test } from 'vitest';
import type { Reading } from '../../source/fleet/computers/computer.ts';
import type { OperationId } from '../../source/fleet/operations/operation.ts';
import type { OperationDetails } from '../../source/fleet/operations/operation-row.ts';
import { targetChangesIn } from '../../source/operations/question.ts';
import { commandOf, questionTitle, withAnswers } from '../../source/operations/question-wording.ts';
import { accountAfter, fact, listRead } from '../arbitraries/sample-facts.ts';
import { testAccount } from '../opened-account.ts';
import { ask, atlas, boxComputer, capture, fleet, hour, now, release } from './ask-question.ts';

describe('the text of a question', () => {
	const said = (...asking: Parameters<typeof ask>) => ask(...asking).lines.join('\n');

	test('names the computer, its id, its uptime and its ports', () => {
		expect(questionTitle(ask('delete'))).toBe('Delete atlas?');
		expect(ask('delete').lines.at(-1)).toBe('sb_atlas01, active for 6 d 4 h, publishes port 8080');
		expect(questionTitle(ask('unpublish'))).toBe('Unpublish port 8080 of atlas?');
	});

	test('gives the uptime of the last read as a minimum if the data is old', () => {
		const account = accountAfter(listRead(now - hour, [atlas]));
		expect(ask('stop', [atlas.id], { account }).lines.at(-1)).toContain(
			'active for at least 6 d 3 h',
		);
	});

	test('estimates from the recent use how long the credits last', () => {
		const account = accountAfter(
			listRead(now, [atlas, boxComputer(3, { status: 'stopped' })]),
			fact(now - hour, { type: 'answered', read: 'credits', answer: { balance: 11 } }),
			fact(now - hour / 2, { type: 'answered', read: 'credits', answer: { balance: 10.5 } }),
			fact(now, { type: 'answered', read: 'credits', answer: { balance: 10 } }),
			fact(now, {
				type: 'answered',
				read: 'subscription',
				answer: { plan: 'pro', planName: 'Pro' },
			}),
		);
		const start = said('start', ['sb_3'], { account });
		expect(start).toContain('until stopped or idle for 30 min (Pro).');
		expect(start).toContain('Costs about 1.00 an hour; credits then last 5 h instead of 10 h.');
		expect(said('create', [], { account })).toContain('5 of 5 creations left this hour.');
		const many = Array.from({ length: 100 }, (_, at) => boxComputer(at + 10, { status: 'active' }));
		const large = accountAfter(
			listRead(now, [...many, boxComputer(3, { status: 'stopped' })]),
			fact(now - hour, { type: 'answered', read: 'credits', answer: { balance: 1001 } }),
			fact(now, { type: 'answered', read: 'credits', answer: { balance: 950 } }),
		);
		expect(said('start', ['sb_3'], { account: large })).toMatch(
			/credits then last 18 h 2\d min instead of 18 h 3\d min/,
		);
		// Fifty of the hundred: half the burn, twice the time.
		const half = many.slice(0, 50).map(({ id }) => id);
		for (const operation of ['stop', 'delete'] as const)
			expect(said(operation, half, { account: large })).toContain(
				'Saves about 25.50 an hour; credits then last 1 d 13 h instead of 18 h 37 min.',
			);
		expect(
			said(
				'stop',
				many.map(({ id }) => id),
				{ account: large },
			),
		).toContain('Saves about 51.00 an hour; then none are spent.');
		const periodEndsAt = now + 24 * hour;
		const renewing = {
			...large,
			subscription: { plan: 'pro', planName: 'Pro', periodEndsAt, endsWithPeriod: false },
		};
		expect(said('stop', half, { account: renewing })).toMatch(
			/; renews \w{3} \d\d:\d\d, amount unknown\.$/m,
		);
		expect(said('start', ['sb_3'], { account: renewing })).not.toContain('renews');
		const unpriced = (...balances: readonly number[]) =>
			accountAfter(
				listRead(now, [atlas, boxComputer(3, { status: 'stopped' })]),
				...balances.map((balance, at) =>
					fact(now - (balances.length - 1 - at) * hour, {
						type: 'answered',
						read: 'credits',
						answer: { balance },
					}),
				),
			);
		expect(said('create', [], { account: unpriced(1234.5) })).toContain(
			'1,234.50 credits left; the price is unknown.',
		);
		const tiny = said('create', [], { account: unpriced(1000, 999.999, 999.998) });
		expect(tiny).toContain('1,000.00 credits left, at less than 0.01 an hour.');
		const broke = { balance: 0, canRun: false };
		const empty = accountAfter(
			listRead(now, [boxComputer(3, { status: 'stopped' })]),
			fact(now, { type: 'answered', read: 'credits', answer: broke }),
		);
		expect(said('start', ['sb_3'], { account: empty })).toContain(
			'too few credits to run a computer',
		);
	});

	test('shows the equivalent shell command, quoted where needed', () => {
		expect(commandOf(ask('stop'))).toBe('crowsnest stop atlas --yes');
		expect(commandOf(ask('stop', ['sb_2'], { options: ['--profile', 'at work'] }))).toBe(
			"crowsnest stop 'box 2' --profile 'at work' --yes",
		);
		expect(commandOf(ask('restart', ['sb_1', 'sb_4']))).toBe('crowsnest restart sb_1 sb_4 --yes');
		expect(commandOf(ask('publish'))).toBe('crowsnest publish atlas PORT --yes');
		expect(commandOf(withAnswers(ask('publish'), ['90']))).toBe('crowsnest publish atlas 90 --yes');
		const named = commandOf(withAnswers(ask('create', []), ["it's"]));
		expect(named).toBe("crowsnest new --name 'it'\\''s' --yes");
		const three = ask('stop', [atlas.id, 'sb_1', 'sb_2']);
		expect(commandOf(three, 1)).toBe('crowsnest stop atlas … and 2 more --yes');
		const published = ask('publish', [atlas.id], { details: { port: 90 } });
		expect(commandOf(published)).toBe('crowsnest publish atlas 90 --yes');
		const provided = ask('create', [], { details: { name: '$HOME; rm', provider: 'other' } });
		expect(commandOf(withAnswers(provided, ['$HOME; rm']))).toBe(
			"crowsnest new --name '$HOME; rm' --provider other --yes",
		);
		const dashed = accountAfter(listRead(now, [{ ...atlas, name: '--all' }]));
		expect(commandOf(ask('stop', [atlas.id], { account: dashed }))).toBe(
			'crowsnest stop sb_atlas01 --yes',
		);
	});
});

describe('the targets of a question', () => {
	test('leave out computers that do not allow the operation, with the reason', () => {
		const { targets, skipped } = ask('start', ['sb_3', atlas.id, 'sb_9']);
		expect(targets.map(({ id }) => id)).toEqual(['sb_3']);
		expect(skipped).toEqual([
			{ account: testAccount, id: atlas.id, name: 'atlas', reason: 'already running', isSo: true },
			{ account: testAccount, id: 'sb_9', name: 'sb_9', reason: 'no longer exists' },
		]);
	});

	test('leave out computers on the latest version, and ports that are already published', () => {
		const reasonOf = (
			operation: OperationId,
			computer: Reading,
			details: OperationDetails = {},
		) => {
			const known = accountAfter(
				listRead(now, [computer]),
				fact(now, { type: 'answered', read: 'release', answer: release }),
			);
			const captured = capture(operation, [computer.id], { account: known, details });
			return 'refusal' in captured ? captured.refusal.skipped[0]?.reason : undefined;
		};
		const newest = 'already on 1.4.2, the latest';
		expect(reasonOf('update', { ...atlas, version: '1.4.2' })).toBe(newest);
		expect(reasonOf('update', { ...atlas, version: null })).toBeUndefined();
		expect(reasonOf('publish', atlas, { port: 8080 })).toBe('port 8080 is already published');
		expect(reasonOf('unpublish', atlas, { port: 9 })).toBe('port 9 is not published');
		expect(reasonOf('unpublish', { ...atlas, ports: [] })).toBe('no port is published');
		const { ports: _, ...withoutPorts } = atlas;
		expect(reasonOf('unpublish', withoutPorts, { port: 9 })).toBeUndefined();
	});

	test('stay the same while the question is open, and later changes are listed beside them', () => {
		const question = ask('stop', [atlas.id, 'sb_1', 'sb_2']);
		expect(targetChangesIn(question, () => fleet)).toEqual([]);
		const later = accountAfter(
			listRead(now + 5_000, [
				{ ...atlas, status: 'stopped', cpu: 80 },
				boxComputer(1, { name: 'web', version: '1.4.2' }),
			]),
		);
		expect(targetChangesIn(question, () => later)).toEqual([
			{ account: testAccount, id: atlas.id, name: 'atlas', description: 'is stopped now' },
			{
				account: testAccount,
				id: 'sb_1',
				name: 'box 1',
				description: 'is called web now, runs version 1.4.2 now',
			},
			{ account: testAccount, id: 'sb_2', name: 'box 2', description: 'is gone' },
		]);
		expect(question.targets).toHaveLength(3);
	});
});
