import { describe, expect, test } from 'vitest';
import { operationIds } from '../../source/fleet/operation-table.ts';
import {
	answerKey,
	detailsOf,
	isAnswered,
	type Question,
} from '../../source/operations/question.ts';
import { accountAfter, listRead } from '../arbitraries/sample-facts.ts';
import { afterKeys, ask, atlas, hour, keysOf, now } from './ask-question.ts';

describe('answering with keys', () => {
	test('confirms with y, cancels with n and Esc, and ignores every other key', () => {
		const question = ask('stop');
		expect(afterKeys(question, 'y').type).toBe('answered');
		expect(afterKeys(question, 'n').type).toBe('cancelled');
		expect(afterKeys(question, 'escape').type).toBe('cancelled');
		for (const key of ['enter', 'space', 'Y', 'x', 'tab']) {
			expect(afterKeys(question, key)).toEqual({ type: 'open', question });
		}
		expect(answerKey(question, { paste: 'y\r' }, now + 1_000).type).toBe('open');
	});

	test('ignores every key in its first 300 ms', () => {
		const question = ask('stop');
		for (const key of ['y', 'n', 'escape', 'c']) {
			expect(answerKey(question, { key }, now + 299).type).toBe('open');
		}
		expect(answerKey(question, { key: 'y' }, now + 300).type).toBe('answered');
		const typed = ask('delete');
		expect(answerKey(typed, { paste: 'atlas' }, now + 299).question.typedText).toBe('');
	});

	test('ignores keys for another 300 ms, and not longer, when the clock was set back', () => {
		const { question, type } = answerKey(ask('stop'), { key: 'y' }, now - hour);
		expect(type).toBe('open');
		expect(answerKey(question, { key: 'y' }, now - hour + 299).type).toBe('open');
		expect(answerKey(question, { key: 'y' }, now - hour + 300).type).toBe('answered');
	});

	test('does not accept the key that opened the question as the answer', () => {
		const question = ask('stop', [atlas.id], { askedWith: 'y' });
		expect(afterKeys(question, 'y').type).toBe('open');
		expect(afterKeys(question, 'Y').type).toBe('answered');
	});

	test('accepts a typed name only when it is complete and Enter follows', () => {
		const question = ask('delete');
		for (const text of ['', 'atl', 'atlas ', 'Atlas', 'atlasx', 'y']) {
			const { type, question: after } = afterKeys(question, ...keysOf(text), 'enter');
			expect(type).toBe('open');
			expect(after.problem).toBe('That is not atlas.');
		}
		expect(afterKeys(question, ...keysOf('atlas')).type).toBe('open');
		expect(afterKeys(question, ...keysOf('atlas'), 'enter').type).toBe('answered');
	});

	test('edits the typed text with Backspace, Ctrl+W and Ctrl+U, and cleans pasted text', () => {
		const question = ask('delete');
		const typedAfter = (...pressed: readonly string[]) =>
			afterKeys(question, ...pressed).question.typedText;
		expect(typedAfter(...keysOf('ab'), 'backspace')).toBe('a');
		expect(typedAfter(...keysOf('one two'), 'ctrl-w')).toBe('one ');
		expect(typedAfter(...keysOf('one'), 'ctrl-u')).toBe('');
		expect(typedAfter(...keysOf('one'), 'left', 'pageup')).toBe('one');
		const paste = '\u001b[1m80\u000780\nx';
		const { question: pasted, type } = answerKey(ask('publish'), { paste }, now + 400);
		expect({ type, typedText: pasted.typedText }).toEqual({ type: 'open', typedText: '8080' });
	});

	test('does not accept a pasted name as confirmation, and says so', () => {
		const { question: begun } = afterKeys(ask('delete'), ...keysOf('at'));
		const { question, type } = answerKey(begun, { paste: 'las\n' }, now + 400);
		expect({ type, typedText: question.typedText }).toEqual({ type: 'open', typedText: 'at' });
		expect(question.problem).toBe('Pasting does not confirm. Type atlas.');
		const { question: after } = afterKeys(question, 'l');
		expect(after.typedText).toBe('atl');
		expect(after).not.toHaveProperty('problem');
	});

	test('accepts a port from 1 to 65535 that is not published yet', () => {
		const question = ask('publish');
		for (const text of ['', '0', '65536', '99999', '-1', '8e1', '80 ', '٣', 'http']) {
			expect(afterKeys(question, ...keysOf(text), 'enter').question.problem).toMatch(/A port is/);
		}
		const { question: taken } = afterKeys(question, ...keysOf('8080'), 'enter');
		expect(taken.problem).toBe('Port 8080 is already published.');
		expect(afterKeys(taken, 'backspace').question).not.toHaveProperty('problem');
		const { question: done, type } = afterKeys(question, ...keysOf('65535'), 'enter');
		expect({ type, port: detailsOf(done).port }).toEqual({ type: 'answered', port: 65_535 });
	});

	test('copies the command with c, or with Ctrl+Y where letters are typed', () => {
		expect(afterKeys(ask('stop'), 'c')).toMatchObject({ type: 'copy' });
		expect(afterKeys(ask('delete'), 'c')).toMatchObject({
			type: 'open',
			question: { typedText: 'c' },
		});
		expect(afterKeys(ask('delete'), 'ctrl-y').type).toBe('copy');
	});

	test('asks a create for name, provider and y, and goes back one step with Esc', () => {
		const question = ask('create', []);
		const { question: second } = afterKeys(question, ...keysOf('web'), 'enter');
		expect(second).toMatchObject({ answers: ['web'], typedText: 'opensandbox' });
		const { question: last, type } = afterKeys(second, 'enter', 'enter', 'enter');
		expect({ type, answers: last.answers }).toEqual({
			type: 'open',
			answers: ['web', 'opensandbox'],
		});
		expect(afterKeys(last, 'escape').question).toMatchObject({
			answers: ['web'],
			typedText: 'opensandbox',
		});
		expect(afterKeys(last, 'escape', 'escape').question).toMatchObject({
			answers: [],
			typedText: 'web',
		});
		expect(afterKeys(last, 'escape', 'escape', 'escape').type).toBe('cancelled');
		const done = afterKeys(last, 'y');
		expect(done.type).toBe('answered');
		expect(detailsOf(done.question)).toEqual({ name: 'web', provider: 'opensandbox' });
		expect(afterKeys(second, 'ctrl-u', 'enter').question.problem).toBe('Enter a provider.');
	});
});

describe('the confirmation that a question requires', () => {
	const kinds = (question: Question) => question.steps.map(({ kind }) => kind);

	test('is y for one computer, the name for a delete, and the count for a risky batch', () => {
		for (const operation of ['stop', 'restart', 'update'] as const) {
			expect(kinds(ask(operation))).toEqual(['yes']);
			const { steps } = ask(operation, [atlas.id, 'sb_1']);
			expect(steps).toMatchObject([{ kind: 'typed', expectedText: `${operation} 2` }]);
		}
		expect(ask('delete').steps).toMatchObject([{ kind: 'typed', expectedText: 'atlas' }]);
		const ids = ['sb_1', 'sb_2', 'sb_3'];
		expect(ask('delete', ids).steps).toMatchObject([{ expectedText: 'delete 3' }]);
		expect(kinds(ask('start', ['sb_3']))).toEqual(['yes']);
		expect(kinds(ask('publish'))).toEqual(['port']);
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
		expect(kinds(ask('stop', [atlas.id, 'sb_1'], lax))).toEqual(['typed']);
	});

	test('exists for every operation', () => {
		for (const operation of operationIds()) {
			const question = ask(operation, [operation === 'start' ? 'sb_3' : atlas.id]);
			expect(['yes', 'typed', 'port']).toContain(question.steps.at(-1)?.kind);
			expect(isAnswered(question)).toBe(false);
			expect(isAnswered({ steps: question.steps, answers: [''] })).toBe(false);
		}
		expect(isAnswered({ steps: [], answers: [] })).toBe(false);
	});

	test('is a typed port when several ports are published', () => {
		const account = accountAfter(listRead(now, [{ ...atlas, ports: [{ port: 1 }, { port: 2 }] }]));
		const question = ask('unpublish', [atlas.id], { account });
		expect(afterKeys(question, '3', 'enter').question.problem).toBe('Port 3 is not published.');
		expect(afterKeys(question, '2', 'enter').type).toBe('answered');
	});

	test('keeps the version of an update out of the details that a retry reuses', () => {
		const question = ask('update');
		expect(question.details).toEqual({ version: '1.4.2' });
		expect(detailsOf(question)).toEqual({});
	});

	test('does not ask for a name where computers have no names', () => {
		const account = accountAfter(listRead(now, [{ id: 'sb_1', status: 'active' }]));
		expect(kinds(ask('create', [], { account }))).toEqual(['text', 'yes']);
		expect(kinds(ask('create', [], { account: accountAfter() }))).toEqual(['text', 'text', 'yes']);
	});
});
