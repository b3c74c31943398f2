import { describe, expect, test } from 'vitest';
import type { Reading } from '../../source/fleet/computers/computer.ts';
import { operationIds } from '../../source/fleet/operations/operation-table.ts';
import { targetChangesIn } from '../../source/operations/question.ts';
import {
	commandOf,
	detailsOf,
	isAnswered,
	problemWithAnswer,
	type Question,
	questionTitle,
	withAnswers,
} from '../../source/operations/question-wording.ts';
import { accountAfter, fact, listRead } from '../arbitraries/sample-facts.ts';
import { testAccount } from '../opened-account.ts';
import { ask, atlas, boxComputer, capture, fleet, hour, now, release } from './ask-question.ts';
import { noGrace, openOperations } from './open-operations.ts';

describe('the text of a question', () => {
	test('names the computer, its id, its uptime and its ports', () => {
		expect(questionTitle(ask('delete'))).toBe('Delete atlas?');
		expect(ask('delete').lines.at(-1)).toBe('sb_atlas01, active for 6 d 4 h, publishes port 8080');
		expect(questionTitle(ask('unpublish'))).toBe('Unpublish port 8080 of atlas?');
	});

	test('gives the uptime of the last read as a minimum if the data is old', () => {
		const account = accountAfter(listRead(now - hour, [atlas]));
		const { lines } = ask('stop', [atlas.id], { account });
		expect(lines.at(-1)).toContain('active for at least 6 d 3 h');
	});

	/** Computers that are active and one that is stopped, and what the balance was each hour until now. */
	function spending(activeCount: number, ...balances: readonly number[]) {
		const active = Array.from({ length: activeCount }, (_, at) => boxComputer(at + 10));
		const creditsRead = (balance: number, at: number) =>
			fact(now - (balances.length - 1 - at) * hour, {
				type: 'answered',
				read: 'credits',
				answer: { balance, canRun: balance > 0 ? undefined : false },
			});
		const stopped = boxComputer(3, { status: 'stopped' });
		const ids = active.map(({ id }) => id);
		const account = accountAfter(listRead(now, [...active, stopped]), ...balances.map(creditsRead));
		const idsFor = { start: ['sb_3'], create: [], stop: ids, delete: ids };
		return (operation: keyof typeof idsFor, count = activeCount, subscription = {}) => {
			const known = { plan: 'pro', planName: 'Pro', ...subscription };
			const more = { account: { ...account, subscription: known } };
			return ask(operation, idsFor[operation].slice(0, count), more).lines.join('\n');
		};
	}

	const half = 'Saves about 25.50 an hour; credits then last 1 d 13 h instead of 18 h 37 min';

	test.each([
		['start', 1, 'until stopped or idle for 30 min (Pro).', [11, 10]],
		['start', 1, 'Costs about 1.00 an hour; credits then last 5 h instead of 10 h.', [11, 10]],
		['start', 100, 'credits then last 18 h 26 min instead of 18 h 37 min', [1001, 950]],
		['stop', 50, `${half}.`, [1001, 950]],
		['delete', 50, `${half}.`, [1001, 950]],
		['stop', 100, 'Saves about 51.00 an hour; then none are spent.', [1001, 950]],
		['create', 1, '5 of 5 creations left this hour.', [11, 10]],
		['create', 1, '1,234.50 credits left; the price is unknown.', [1234.5]],
		['create', 1, '1,000.00 credits left, at less than 0.01 an hour.', [1000, 999.999, 999.998]],
		['start', 1, 'too few credits to run a computer', [0]],
	] as const)(
		'of a %s with %j computers says “%s” after the balances %j',
		(operation, count, line, balances) => {
			// Fifty of the hundred: half the burn, twice the time.
			const linesOf = spending(count > 1 ? 100 : 1, ...balances);
			expect(linesOf(operation, count)).toContain(line);
		},
	);

	test('says that the plan renews before the credits are used up', () => {
		const linesOf = spending(100, 1001, 950);
		const renewing = { periodEndsAt: now + 24 * hour, endsWithPeriod: false };
		expect(linesOf('stop', 50, renewing)).toMatch(/; renews \w{3} \d\d:\d\d, amount unknown\.$/m);
		expect(linesOf('stop', 50, { ...renewing, endsWithPeriod: true })).not.toContain('renews');
		expect(linesOf('start', 1, renewing)).not.toContain('renews');
	});

	test.each([
		['crowsnest stop atlas --yes', ask('stop')],
		[
			"crowsnest stop 'box 2' --profile 'at work' --yes",
			ask('stop', ['sb_2'], { options: ['--profile', 'at work'] }),
		],
		['crowsnest restart sb_1 sb_4 --yes', ask('restart', ['sb_1', 'sb_4'])],
		['crowsnest publish atlas PORT --yes', ask('publish')],
		['crowsnest publish atlas 90 --yes', withAnswers(ask('publish'), ['90'])],
		['crowsnest publish atlas 90 --yes', ask('publish', [atlas.id], { details: { port: 90 } })],
		["crowsnest new --name 'it'\\''s' --yes", withAnswers(ask('create', []), ["it's"])],
		[
			"crowsnest new --name '$HOME; rm' --provider other --yes",
			withAnswers(ask('create', [], { details: { provider: 'other' } }), ['$HOME; rm']),
		],
		[
			'crowsnest stop sb_atlas01 --yes',
			ask('stop', [atlas.id], {
				account: accountAfter(listRead(now, [{ ...atlas, name: '--all' }])),
			}),
		],
	])('has the command %s', (command, question) => {
		expect(commandOf(question)).toBe(command);
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

	const newest = 'already on 1.4.2, the latest';
	test.each([
		['update', { version: '1.4.2' }, undefined, newest],
		['update', { version: null }, undefined, undefined],
		['publish', {}, 8080, 'port 8080 is already published'],
		['unpublish', {}, 9, 'port 9 is not published'],
		['unpublish', { ports: [] }, undefined, 'no port is published'],
		['unpublish', { ports: undefined }, 9, undefined],
	] as const)(
		'of a %s with %j and the port %j are skipped: %s',
		(operation, more, port, reason) => {
			const computer: Reading = { ...atlas, ...more };
			const account = accountAfter(
				listRead(now, [computer]),
				fact(now, { type: 'answered', read: 'release', answer: release }),
			);
			const captured = capture(operation, [computer.id], { account, details: { port } });
			expect('refusal' in captured ? captured.refusal.skipped[0]?.reason : undefined).toBe(reason);
		},
	);

	test('stay the same while the question is open, and later changes are listed beside them', () => {
		const question = ask('stop', [atlas.id, 'sb_1', 'sb_2']);
		expect(targetChangesIn(question, () => fleet)).toEqual([]);
		const renamed = boxComputer(1, { name: 'web', version: '1.4.2' });
		const later = accountAfter(
			listRead(now + 5_000, [{ ...atlas, status: 'stopped', cpu: 80 }, renamed]),
		);
		expect(targetChangesIn(question, () => later)).toMatchObject([
			{ id: atlas.id, name: 'atlas', description: 'is stopped now' },
			{ id: 'sb_1', name: 'box 1', description: 'is called web now, runs version 1.4.2 now' },
			{ id: 'sb_2', name: 'box 2', description: 'is gone' },
		]);
		expect(question.targets).toHaveLength(3);
	});
});

const problemsWith = ({ steps: [step] }: Question, ...answers: readonly string[]) =>
	answers.map(answer => step && problemWithAnswer(step, answer));

describe('the answers to a question', () => {
	test('are part of its details and of its command', () => {
		const question = withAnswers(ask('create', []), ['web', 'y']);
		expect(isAnswered(question)).toBe(true);
		expect(detailsOf(question)).toEqual({ name: 'web' });
		expect(commandOf(question)).toContain('--name web');
	});

	test('are exactly one for each of its steps', () => {
		const question = ask('create', []);
		expect(isAnswered(withAnswers(question, ['web', 'opensandbox']))).toBe(false);
		expect(isAnswered(withAnswers(question, ['web', 'opensandbox', 'y', 'y']))).toBe(false);
	});

	test('to a question about a port are a number from 1 to 65535 that is not published yet', () => {
		const question = ask('publish');
		const wrong = ['', '0', '65536', '99999', '-1', '8e1', '80 ', '٣', 'http'];
		for (const problem of problemsWith(question, ...wrong)) expect(problem).toMatch(/A port is/);
		expect(problemsWith(question, '8080', '65535')).toEqual([
			'Port 8080 is already published.',
			undefined,
		]);
		expect(detailsOf(withAnswers(question, ['65535'])).port).toBe(65_535);
	});
});

describe('the confirmation that a question requires', () => {
	const kinds = (question: Question) => question.steps.map(({ kind }) => kind);

	test('is y for up to five computers, the name for a delete, and the count for more', () => {
		const boxes = [1, 2, 3, 4, 5, 6].map(n => boxComputer(n));
		const large = accountAfter(listRead(now, boxes));
		const six = boxes.map(({ id }) => id);
		for (const operation of ['stop', 'restart', 'update'] as const) {
			expect(kinds(ask(operation))).toEqual(['yes']);
			expect(kinds(ask(operation, [atlas.id, 'sb_1']))).toEqual(['yes']);
			const { steps } = ask(operation, six, { account: large });
			expect(steps).toMatchObject([{ kind: 'typed', expectedText: `${operation} 6` }]);
		}
		expect(ask('delete').steps).toMatchObject([{ kind: 'typed', expectedText: 'atlas' }]);
		const ids = ['sb_1', 'sb_2', 'sb_3'];
		expect(ask('delete', ids).steps).toMatchObject([{ expectedText: 'delete 3' }]);
		expect(kinds(ask('start', ['sb_3']))).toEqual(['yes']);
		expect(kinds(ask('publish'))).toEqual(['port', 'yes']);
		expect(kinds(ask('unpublish'))).toEqual(['yes']);
	});

	test('is the id when two computers have the same name', () => {
		expect(ask('delete', ['sb_4']).steps).toMatchObject([{ expectedText: 'sb_4' }]);
		expect(ask('delete', ['sb_2']).steps).toMatchObject([{ expectedText: 'box 2' }]);
	});

	test('can be made stricter by a profile, but never weaker', () => {
		const strict = { strictness: 'type' as const };
		const lax = { strictness: 'off' as const };
		expect(ask('start', ['sb_3'], strict).steps).toMatchObject([{ expectedText: 'box 3' }]);
		expect(kinds(ask('publish', [atlas.id], strict))).toEqual(['port', 'typed']);
		expect(kinds(ask('delete', [atlas.id], lax))).toEqual(['typed']);
		expect(kinds(ask('stop', [atlas.id], lax))).toEqual(['yes']);
	});

	test('exists for every operation', () => {
		for (const operation of operationIds()) {
			const question = ask(operation, [operation === 'start' ? 'sb_3' : atlas.id]);
			expect(['yes', 'typed']).toContain(question.steps.at(-1)?.kind);
			expect(isAnswered(question)).toBe(false);
			expect(isAnswered({ steps: question.steps, answers: [''] })).toBe(false);
		}
		expect(isAnswered({ steps: [], answers: [] })).toBe(false);
	});

	test('begins with the port when several ports are published', () => {
		const account = accountAfter(listRead(now, [{ ...atlas, ports: [{ port: 1 }, { port: 2 }] }]));
		const question = ask('unpublish', [atlas.id], { account });
		expect(problemsWith(question, '3', '2')).toEqual(['Port 3 is not published.', undefined]);
	});

	test('keeps the version of an update out of the details that a retry reuses', () => {
		const question = ask('update');
		expect(question.accounts).toMatchObject([{ version: '1.4.2' }]);
		expect(detailsOf(question)).toEqual({});
	});

	test('begins with a provider only if a computer of the account has an unusual one', () => {
		const account = accountAfter(listRead(now, [{ ...atlas, provider: 'other' }]));
		const question = withAnswers(ask('create', [], { account }), ['web', 'other', 'y']);
		expect(detailsOf(question)).toEqual({ name: 'web', provider: 'other' });
	});

	test('begins with a name only where computers have names', () => {
		const account = accountAfter(listRead(now, [{ id: 'sb_1', status: 'active' }]));
		expect(kinds(ask('create', [], { account }))).toEqual(['yes']);
		expect(kinds(ask('create', [], { account: accountAfter() }))).toEqual(['text', 'yes']);
	});
});

async function withQuestion() {
	const setup = await openOperations({ operations: noGrace });
	const [atlas, borealis] = ['atlas', 'borealis'].map(name => setup.world.add({ name }).id);
	await setup.watched();
	function ask(id = ''): Question {
		const reply = setup.operations.ask('restart', [id]);
		if (reply.type !== 'question') throw new Error('expected a question');
		return reply.question;
	}
	return { setup, atlas, ask, question: ask(atlas), other: () => ask(borealis) };
}

const yes = (question: Question) => ({ ...question, answers: ['y'] });

test('a forged answer cannot change the operation or the targets of the open question', async () => {
	const { setup, atlas, question } = await withQuestion();
	const targets = question.targets.map(target => ({ ...target, id: 'sb_other' }));
	setup.operations.answer({ ...yes(question), targets, operation: 'delete' });
	await setup.pass(1_000);
	expect(setup.sentChanges()).toEqual([`POST /${atlas}/restart 200`]);
});

test.each([
	['that is not complete', (question: Question) => question],
	['whose answer is “no”', (question: Question) => ({ ...question, answers: ['n'] })],
	['with more answers than steps', (question: Question) => ({ ...question, answers: ['y', 'y'] })],
	['without steps', (question: Question) => ({ ...question, steps: [], answers: [] })],
])('no request is sent for a forged answer %s', async (_, forged) => {
	const { setup, question } = await withQuestion();
	expect(setup.operations.answer(forged(question)).type).toBe('refused');
	await setup.pass(1_000);
	expect(setup.sentChanges()).toEqual([]);
});

test('no request is sent for an answer to a question that another question has replaced', async () => {
	const { setup, question, other } = await withQuestion();
	other();
	expect(setup.operations.answer(yes(question)).type).toBe('refused');
	await setup.pass(1_000);
	expect(setup.sentChanges()).toEqual([]);
});

test('an answer about a computer that was deleted meanwhile begins nothing, and says so', async () => {
	const { setup, atlas = '', question } = await withQuestion();
	setup.world.remove(atlas);
	await setup.watched();
	expect(setup.operations.answer(yes(question))).toMatchObject({
		type: 'refused',
		refusal: { message: 'atlas no longer exists: nothing was sent' },
	});
	await setup.pass(1_000);
	expect(setup.sentChanges()).toEqual([]);
});
