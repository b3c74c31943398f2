import { expect, test } from 'vitest';
import type { Reading } from '../../source/fleet/computers/computer.ts';
import type { OperationId } from '../../source/fleet/operations/operation.ts';
import type { Strictness } from '../../source/fleet/operations/operation-row.ts';
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
import { openOperations } from './open-operations.ts';

test('a question names the computer, its id, its uptime (a minimum if the data is old) and its ports', () => {
	expect(questionTitle(ask('delete'))).toBe('Delete atlas?');
	expect(ask('delete').lines.at(-1)).toBe('sb_atlas01, active for 6 d 4 h, publishes port 8080');
	expect(questionTitle(ask('unpublish'))).toBe('Unpublish port 8080 of atlas?');
	const account = accountAfter(listRead(now - hour, [atlas]));
	expect(ask('stop', [atlas.id], { account }).lines.at(-1)).toContain('at least 6 d 3 h');
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
	'the question of a %s with %j computers says “%s” after the balances %j',
	(operation, count, line, balances) => {
		// Fifty of the hundred: half the burn, twice the time.
		expect(spending(count > 1 ? 100 : 1, ...balances)(operation, count)).toContain(line);
	},
);

test('a question says that the plan renews before the credits are used up', () => {
	const linesOf = spending(100, 1001, 950);
	const renewing = { periodEndsAt: now + 24 * hour, endsWithPeriod: false };
	expect(linesOf('stop', 50, renewing)).toMatch(/; renews \w{3} \d\d:\d\d, amount unknown\.$/m);
	expect(linesOf('stop', 50, { ...renewing, endsWithPeriod: true })).not.toContain('renews');
	expect(linesOf('start', 1, renewing)).not.toContain('renews');
});

const called = (name: string) => ({ account: accountAfter(listRead(now, [{ ...atlas, name }])) });

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
	['crowsnest stop sb_atlas01 --yes', ask('stop', [atlas.id], called('--all'))],
])('a question has the command %s', (command, question) => {
	expect(commandOf(question)).toBe(command);
});

test('a question leaves out computers that do not allow the operation, with the reason', () => {
	const { targets, skipped } = ask('start', ['sb_3', atlas.id, 'sb_9']);
	expect(targets.map(({ id }) => id)).toEqual(['sb_3']);
	expect(skipped).toEqual([
		{ account: testAccount, id: atlas.id, name: 'atlas', reason: 'already running', isSo: true },
		{ account: testAccount, id: 'sb_9', name: 'sb_9', reason: 'no longer exists' },
	]);
});

test.each([
	['update', { version: '1.4.2' }, undefined, 'already on 1.4.2, the latest'],
	['update', { version: null }, undefined, undefined],
	['publish', {}, 8080, 'port 8080 is already published'],
	['unpublish', {}, 9, 'port 9 is not published'],
	['unpublish', { ports: [] }, undefined, 'no port is published'],
	['unpublish', { ports: undefined }, 9, undefined],
] as const)(
	'the question of a %s skips a computer with %j for the port %j: %s',
	(operation, more, port, reason) => {
		const computer: Reading = { ...atlas, ...more };
		const answered = fact(now, { type: 'answered', read: 'release', answer: release });
		const account = accountAfter(listRead(now, [computer]), answered);
		const captured = capture(operation, [computer.id], { account, details: { port } });
		expect('refusal' in captured ? captured.refusal.skipped[0]?.reason : undefined).toBe(reason);
	},
);

test('an open question keeps its targets, and lists how they have changed', () => {
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

const problemsWith = ({ steps: [step] }: Question, ...answers: readonly string[]) =>
	answers.map(answer => step && problemWithAnswer(step, answer));

test('a question is answered by exactly one answer for each step, and they are part of its command', () => {
	const question = ask('create', []);
	const answered = withAnswers(question, ['web', 'y']);
	expect(isAnswered(answered)).toBe(true);
	expect(detailsOf(answered)).toEqual({ name: 'web' });
	for (const answers of [[], ['web'], ['web', 'n'], ['web', 'y', 'y']])
		expect(isAnswered(withAnswers(question, answers))).toBe(false);
	expect(isAnswered({ steps: [], answers: [] })).toBe(false);
});

test('a port is a number from 1 to 65535 that is not published yet, or one that is', () => {
	const wrong = ['', '0', '65536', '99999', '-1', '8e1', '80 ', '٣', 'http'];
	for (const problem of problemsWith(ask('publish'), ...wrong))
		expect(problem).toMatch(/A port is/);
	expect(problemsWith(ask('publish'), '8080', '65535')).toEqual([
		'Port 8080 is already published.',
		undefined,
	]);
	expect(detailsOf(withAnswers(ask('publish'), ['65535'])).port).toBe(65_535);
	const account = accountAfter(listRead(now, [{ ...atlas, ports: [{ port: 1 }, { port: 2 }] }]));
	const question = ask('unpublish', [atlas.id], { account });
	expect(problemsWith(question, '3', '2')).toEqual(['Port 3 is not published.', undefined]);
});

const boxes = [1, 2, 3, 4, 5, 6].map(n => boxComputer(n));
const six = boxes.map(({ id }) => id);
const large = { account: accountAfter(listRead(now, boxes)) };
const setTo = (strictness: Strictness) => ({ strictness });
const odd = { account: accountAfter(listRead(now, [{ ...atlas, provider: 'other' }])) };
const nameless = { account: accountAfter(listRead(now, [{ id: 'sb_1', status: 'active' }])) };

test.each<
	[OperationId, readonly string[], NonNullable<Parameters<typeof ask>[2]>, readonly string[]]
>([
	['stop', [atlas.id], {}, ['yes']],
	['restart', [atlas.id, 'sb_1'], {}, ['yes']],
	['update', six, large, ['update 6']],
	['stop', six, large, ['stop 6']],
	['start', ['sb_3'], {}, ['yes']],
	['publish', [atlas.id], {}, ['port', 'yes']],
	['unpublish', [atlas.id], {}, ['yes']],
	['delete', [atlas.id], {}, ['atlas']],
	['delete', ['sb_1', 'sb_2', 'sb_3'], {}, ['delete 3']],
	// Two computers have the name of the first.
	['delete', ['sb_4'], {}, ['sb_4']],
	['delete', ['sb_2'], {}, ['box 2']],
	// A setting makes a question stricter, and never weaker.
	['start', ['sb_3'], setTo('type'), ['box 3']],
	['publish', [atlas.id], setTo('type'), ['port', 'atlas']],
	['delete', [atlas.id], setTo('off'), ['atlas']],
	['stop', [atlas.id], setTo('off'), ['yes']],
	// A create asks for what its account has: names, and other providers than the usual one.
	['create', [], {}, ['text', 'yes']],
	['create', [], odd, ['text', 'text', 'yes']],
	['create', [], nameless, ['yes']],
])('the question of a %s of %j (%#) asks as the table says', (operation, ids, more, asked) => {
	const { steps } = ask(operation, ids, more);
	expect(steps.map(step => (step.kind === 'typed' ? step.expectedText : step.kind))).toEqual(asked);
});

test('every operation has a question that Enter alone does not confirm', () => {
	for (const operation of operationIds()) {
		const { steps } = ask(operation, [operation === 'start' ? 'sb_3' : atlas.id]);
		expect(['yes', 'typed']).toContain(steps.at(-1)?.kind);
		expect(isAnswered({ steps, answers: steps.map(() => '') })).toBe(false);
	}
});

test('the version of an update is no part of the details that a retry reuses', () => {
	const question = ask('update');
	expect(question.accounts).toMatchObject([{ version: '1.4.2' }]);
	expect(detailsOf(question)).toEqual({});
});

async function openQuestion() {
	const setup = await openOperations();
	const [atlas = '', borealis = ''] = ['atlas', 'borealis'].map(
		name => setup.world.add({ name }).id,
	);
	await setup.watched();
	const reply = setup.ask('restart', [atlas]);
	if (reply.type !== 'question') throw new Error('expected a question');
	return { setup, atlas, borealis, question: { ...reply.question, answers: ['y'] } };
}

type Opened = Awaited<ReturnType<typeof openQuestion>>;

const forgedWith = (forged: Partial<Question>) => (opened: Opened) => {
	Object.assign(opened.question, forged);
};

test.each<[string, (opened: Opened) => unknown, string?]>([
	['that is not complete', forgedWith({ answers: [] })],
	['that says no', forgedWith({ answers: ['n'] })],
	['with more answers than steps', forgedWith({ answers: ['y', 'y'] })],
	['without steps', forgedWith({ steps: [], answers: [] })],
	[
		'to a question that another one has replaced',
		({ setup, borealis }) => setup.ask('restart', [borealis]),
		'The question is no longer open',
	],
	[
		'about a computer that was deleted meanwhile',
		({ setup, atlas }) => {
			setup.world.remove(atlas);
			return setup.watched();
		},
		'atlas no longer exists: nothing was sent',
	],
])('an answer %s is refused, and nothing is sent', async (_, happens, message) => {
	const opened = await openQuestion();
	await happens(opened);
	const answered = opened.setup.operations.answer(opened.question);
	expect(answered.type).toBe('refused');
	if (message !== undefined) expect(answered).toMatchObject({ refusal: { message } });
	await opened.setup.pass(5_000);
	expect(opened.setup.sentChanges()).toEqual([]);
});

test('a forged answer cannot change the operation or the targets of the open question', async () => {
	const { setup, atlas, question } = await openQuestion();
	const targets = question.targets.map(target => ({ ...target, id: 'sb_other' }));
	setup.operations.answer({ ...question, targets, operation: 'delete' });
	await setup.pass(5_000);
	expect(setup.sentChanges()).toEqual([`POST /${atlas}/restart 200`]);
});
