import { describe, expect, test } from 'vitest';
import { createPasswordRequest } from '../../source/accounts/password-request.ts';
import { ask, atlas } from '../operations/ask-question.ts';
import { openDialog, openQuestion } from './dialog-keys.ts';

const hour = 3_600_000;

describe('a question about an operation', () => {
	test('is confirmed by y, closed by n and Esc, and ignores every other key', () => {
		for (const key of ['n', 'escape']) {
			const { press, dialog, notices, answered } = openQuestion(ask('stop'));
			press('enter', 'space', 'Y', 'x', 'tab');
			expect(dialog()?.kind).toBe('question');
			press(key);
			expect({ dialog: dialog(), answered, notices }).toEqual({
				dialog: undefined,
				answered: [],
				notices: [],
			});
		}
		const { press, paste, answered } = openQuestion(ask('stop'));
		paste('y\r');
		expect(answered).toEqual([]);
		press('y');
		expect(answered).toMatchObject([{ operation: 'stop', answers: ['y'] }]);
	});

	test('is confirmed only when it has been visible for 300 ms', () => {
		for (const key of ['n', 'escape']) {
			const { press, dialog, answered } = openDialog({ question: ask('stop') });
			press(key);
			expect([dialog(), answered]).toEqual([undefined, []]);
		}
		const { press, show, clock, dialog, questionNow } = openDialog({ question: ask('stop') });
		press('y');
		expect(questionNow()?.problem).toBe('Too early: press y again.');
		clock.move(5_000);
		press('y');
		show();
		clock.move(299);
		press('y');
		expect(dialog()?.kind).toBe('question');
		clock.move(1);
		press('y');
		expect(dialog()).toBeUndefined();
	});

	test('is not confirmed by a key that arrives together with others', () => {
		const { pressTogether, press, answered } = openQuestion(ask('stop'));
		pressTogether('y', 'y');
		expect(answered).toEqual([]);
		press('y');
		expect(answered).toHaveLength(1);
	});

	test('takes letters and pastes into a field before it is visible', () => {
		const { press, paste, typed } = openDialog({ question: ask('publish') });
		press('8', '0');
		paste('81');
		expect(typed()).toBe('8081');
	});

	test('ignores keys for another 300 ms, and not longer, when the clock was set back', () => {
		const { press, clock, answered } = openQuestion(ask('stop'));
		clock.jump(-hour);
		press('y');
		clock.move(299);
		press('y');
		expect(answered).toEqual([]);
		clock.move(1);
		press('y');
		expect(answered).toHaveLength(1);
	});

	test('is not confirmed on a terminal without room for what the operation loses, and says so', () => {
		const { press, show, clock, dialog, answered, notices } = openQuestion(ask('delete'));
		show(true);
		clock.move(300);
		press(...'atlas', 'enter');
		expect(answered).toEqual([]);
		expect(notices).toEqual([expect.stringContaining('Enlarge the terminal')]);
		show();
		clock.move(300);
		press('enter');
		expect(answered).toMatchObject([{ operation: 'delete' }]);
		expect(dialog()).toBeUndefined();
	});

	test('is never confirmed by the key that opened it', () => {
		const { press, answered } = openQuestion(ask('stop', [atlas.id], { openingKey: 'y' }));
		press('y', 'y');
		expect(answered).toEqual([]);
		press('Y');
		expect(answered).toHaveLength(1);
	});

	test('accepts a typed name only when it is complete and Enter follows', () => {
		for (const text of ['', 'atl', 'atlas ', 'Atlas', 'atlasx', 'y']) {
			const { press, questionNow, answered } = openQuestion(ask('delete'));
			press(...text, 'enter');
			expect(answered).toEqual([]);
			expect(questionNow()?.problem).toBe('That is not atlas.');
		}
		const { press, answered } = openQuestion(ask('delete'));
		press(...'atlas');
		expect(answered).toEqual([]);
		press('enter');
		expect(answered).toHaveLength(1);
	});

	test('cleans pasted text, which never submits', () => {
		const { paste, typed, answered } = openQuestion(ask('publish'));
		paste('\u001b[1m80\u000780\nx\r');
		expect({ typed: typed(), answered }).toEqual({ typed: '8080', answered: [] });
	});

	test('does not accept a pasted name as confirmation, and says so', () => {
		const { press, paste, questionNow, typed } = openQuestion(ask('delete'));
		press('a', 't');
		paste('las\n');
		expect(typed()).toBe('at');
		expect(questionNow()?.problem).toBe('Pasting does not confirm. Type atlas.');
		press('l');
		expect(typed()).toBe('atl');
		expect(questionNow()?.problem).toBeUndefined();
	});

	test('shows why a port is refused until the text changes', () => {
		const { press, questionNow } = openQuestion(ask('publish'));
		press(...'8080', 'enter');
		expect(questionNow()?.problem).toBe('Port 8080 is already published.');
		press('backspace');
		expect(questionNow()?.problem).toBeUndefined();
		press('1', 'enter');
		expect(questionNow()?.answers).toEqual(['8081']);
	});

	test('copies the command with c, or with Ctrl-Y where letters are typed', () => {
		const stop = openQuestion(ask('stop'));
		stop.press('c', 'ctrl-y');
		expect(stop.copied).toEqual(['crowsnest stop atlas --yes', 'crowsnest stop atlas --yes']);
		const { press, typed, copied } = openQuestion(ask('delete'));
		press('c');
		expect({ typed: typed(), copied }).toEqual({ typed: 'c', copied: [] });
		press('ctrl-y');
		expect(copied).toEqual(['crowsnest delete atlas --yes']);
	});

	test('asks for the name of a new computer and then for y, and Esc goes back one step', () => {
		const { press, questionNow, typed, dialog, answered } = openQuestion(ask('create', []));
		press(...'web', 'enter', 'enter');
		expect(questionNow()?.answers).toEqual(['web']);
		press('escape');
		expect([questionNow()?.answers, typed()]).toEqual([[], 'web']);
		press('escape');
		expect(dialog()).toBeUndefined();
		const second = openQuestion(ask('create', []));
		second.press(...'web', 'enter', 'y');
		expect(second.answered).toEqual([]);
		second.show();
		second.clock.move(300);
		second.press('y');
		expect(second.answered).toMatchObject([{ answers: ['web', 'y'] }]);
		expect(answered).toEqual([]);
	});

	test('keeps its typed text while the quit dialog covers it, and then ignores keys again', () => {
		const { press, show, clock, screenStore, typed } = openQuestion(ask('delete'));
		press(...'atl');
		screenStore.setState({ confirmation: { about: 'leave', openingKey: 'ctrl-c' } });
		show();
		clock.move(300);
		press('n', 'a', 's');
		expect(typed()).toBe('atl');
		show();
		clock.move(300);
		press('a', 's');
		expect(typed()).toBe('atlas');
	});
});

describe('the sign-in dialog', () => {
	const about = { email: 'owner@example.com', host: 'id.example.com' };

	function open() {
		const passwordRequest = createPasswordRequest(about);
		return {
			...openDialog({ passwordRequest }),
			askForPassword: (why?: string) => passwordRequest.ask(new AbortController().signal, why),
		};
	}

	test('is not answered or closed until it has been visible for 300 ms', async () => {
		const { clock, press, paste, show, typed, askForPassword } = open();
		const password = askForPassword();
		press(...'/web', 'enter');
		clock.move(5_000);
		press('x');
		show();
		clock.move(299);
		press(...'/web', 'enter', 'escape');
		paste('hunter2');
		expect(typed()).toBe('/webx/webhunter2');
		clock.move(1);
		press('ctrl-u', ...'secret', 'enter');
		expect(await password).toBe('secret');
	});

	test('is not answered for 300 ms again after a wrong password, and begins with an empty field', async () => {
		const { clock, press, show, typed, askForPassword } = open();
		const first = askForPassword();
		show();
		clock.move(300);
		press('a', 'enter');
		expect(await first).toBe('a');
		const second = askForPassword('Invalid login credentials');
		expect(typed()).toBe('');
		press('b', 'enter');
		show();
		press('c', 'enter');
		clock.move(300);
		press('d', 'enter');
		expect(await second).toBe('bcd');
	});

	test('inserts the first line of a paste at the caret, and never submits', async () => {
		const { clock, press, paste, show, dialog, askForPassword } = open();
		const password = askForPassword();
		show();
		clock.move(300);
		press('2', 'left');
		paste('hun\u0007ter\x1b\r\nnext\n');
		expect(dialog()?.kind).toBe('password');
		press('enter');
		expect(await password).toBe('hunter2');
	});
});
