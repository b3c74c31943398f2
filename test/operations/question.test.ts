import { describe, expect, test } from 'vitest';
import { operationIds } from '../../source/fleet/operations/operation-table.ts';
import {
	commandOf,
	detailsOf,
	isAnswered,
	problemWithAnswer,
	type Question,
	withAnswers,
} from '../../source/operations/question-wording.ts';
import { accountAfter, listRead } from '../arbitraries/sample-facts.ts';
import { ask, atlas, boxComputer, now } from './ask-question.ts';

const problemsWith = ({ steps: [step] }: Question, ...answers: readonly string[]) =>
	answers.map(answer => step && problemWithAnswer(step, answer));

test('the answers to a question are part of its details and of its command', () => {
	const question = withAnswers(ask('create', []), ['web', 'y']);
	expect(isAnswered(question)).toBe(true);
	expect(detailsOf(question)).toEqual({ name: 'web' });
	expect(commandOf(question)).toContain('--name web');
});

test('a question accepts exactly one answer for each of its steps', () => {
	const question = ask('create', []);
	expect(isAnswered(withAnswers(question, ['web', 'opensandbox']))).toBe(false);
	expect(isAnswered(withAnswers(question, ['web', 'opensandbox', 'y', 'y']))).toBe(false);
});

test('a port is a number from 1 to 65535 that is not published yet', () => {
	const question = ask('publish');
	const wrong = ['', '0', '65536', '99999', '-1', '8e1', '80 ', '٣', 'http'];
	for (const problem of problemsWith(question, ...wrong)) expect(problem).toMatch(/A port is/);
	expect(problemsWith(question, '8080', '65535')).toEqual([
		'Port 8080 is already published.',
		undefined,
	]);
	expect(detailsOf(withAnswers(question, ['65535'])).port).toBe(65_535);
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

	test('asks for a provider only if a computer of the account has an unusual provider', () => {
		const account = accountAfter(listRead(now, [{ ...atlas, provider: 'other' }]));
		const question = withAnswers(ask('create', [], { account }), ['web', 'other', 'y']);
		expect(detailsOf(question)).toEqual({ name: 'web', provider: 'other' });
	});

	test('does not ask for a name where computers have no names', () => {
		const account = accountAfter(listRead(now, [{ id: 'sb_1', status: 'active' }]));
		expect(kinds(ask('create', [], { account }))).toEqual(['yes']);
		expect(kinds(ask('create', [], { account: accountAfter() }))).toEqual(['text', 'yes']);
	});
});
