import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { OperationId } from '../../../source/fleet/operations/operation.ts';
import type { PasswordPrompt } from '../../../source/foundation/sign-in.ts';
import { bindings } from '../../../source/keys/bindings.ts';
import { openDialogOf } from '../../../source/keys/open-dialog.ts';
import { commandOf, type Question } from '../../../source/operations/question.ts';
import { type DialogEntry, dialogEntryFor } from '../../../source/screen/dialog-entry.ts';
import { initialScreen } from '../../../source/screen/screen.ts';
import { typedLineFrom } from '../../../source/screen/typed-line.ts';
import type { AccountState } from '../../../source/store/state.ts';
import { confirmationDialog } from '../../../source/wording/dialogs/confirmation-text.ts';
import { dialogLines } from '../../../source/wording/dialogs/dialog-text.ts';
import { passwordDialog } from '../../../source/wording/dialogs/open-dialog-text.ts';
import { questionDialog, type TableView } from '../../../source/wording/dialogs/question-text.ts';
import { accountAfter, listRead } from '../../arbitraries/sample-facts.ts';
import { onlyAccount, rowId } from '../../opened-account.ts';
import { ask, atlas, boxComputer, fleet, now } from '../../operations/ask-question.ts';
import { theme } from '../../sample-theme.ts';

const screen = initialScreen();
const everything: TableView = { screen, ids: [], now };

function drawn(
	question: Question,
	size = { columns: 120, rows: 36 },
	inView = everything,
	account: AccountState = fleet,
	entry?: DialogEntry,
): readonly string[] {
	const open = openDialogOf(
		{ ...screen, entry },
		{ operations: { question }, passwordPrompt: undefined },
	);
	if (open?.kind !== 'question') throw new Error('no question is open');
	const { lines } = dialogLines(
		questionDialog(open, onlyAccount(account), inView, bindings),
		size,
		theme,
	);
	return lines.map(stripVTControlCharacters);
}

const said = (...drawing: Parameters<typeof drawn>) =>
	drawn(...drawing)
		.map(line => line.slice(2, -2).trimEnd())
		.join('\n');

describe('the dialog of a question', () => {
	test.each([
		['delete', [atlas.id], 'Enter deletes · Esc cancels · Ctrl-Y copies the command'],
		['delete', [atlas.id, 'sb_1'], 'Enter deletes · Esc cancels · Ctrl-Y copies the command'],
		['stop', [atlas.id, 'sb_1'], 'y stops · n cancels · c copies the command'],
		['publish', [atlas.id], 'Enter continues · Esc cancels · Ctrl-Y copies the command'],
		['create', [], 'Enter continues · Esc cancels · Ctrl-Y copies the command'],
		['stop', [atlas.id], 'y stops · n cancels · c copies the command'],
		['restart', [atlas.id], 'y restarts · n cancels · c copies the command'],
	] as const)(
		'about the operation “%s” for the computers %j has the hints "%s"',
		(operation: OperationId, ids, hint) => {
			expect(said(ask(operation, ids))).toContain(hint);
		},
	);

	test('shows only the most important hints on a narrow screen', () => {
		const text = said(ask('delete'), { columns: 40, rows: 24 });
		expect(text).toContain('Enter deletes · Esc cancels\n');
		expect(text).not.toContain('Ctrl-Y');
	});

	test('keeps its height while a person types, so that the hints do not move', () => {
		const question = ask('delete', [atlas.id, 'sb_1']);
		const typed = { ...dialogEntryFor(undefined, question), line: typedLineFrom('delete 2') };
		const whileTyping = drawn(question, undefined, everything, fleet, typed);
		expect(whileTyping.join()).toContain('delete 2▏');
		expect(whileTyping).toHaveLength(drawn(question).length);
	});

	test('says why its computer is in error, and what may help', () => {
		const broken = boxComputer(9, { status: 'error', error: 'disk quota exceeded', storage: 40 });
		const account = accountAfter(listRead(now, [broken]));
		const question = ask('restart', ['sb_9'], { account });
		const text = said(question, undefined, undefined, account).replace(/\s+/g, ' ');
		expect(text).toContain('sb_9, error disk quota exceeded The full quota is probably that');
		const later = accountAfter(listRead(now, [{ ...broken, error: 'another text' }]));
		expect(said(question, undefined, undefined, later)).not.toContain('another text');
	});

	test('says why its computer is in error, but not what may help, when it asks for a deletion', () => {
		const broken = boxComputer(9, { status: 'error', error: 'disk quota exceeded', storage: 40 });
		const account = accountAfter(listRead(now, [broken]));
		const text = said(ask('delete', ['sb_9'], { account }), undefined, undefined, account);
		expect(text).toContain('disk quota exceeded');
		expect(text).not.toMatch(/restart/i);
	});

	test('has hints and dots for letters when it asks for a password', () => {
		const wanted = { profile: 'work', email: 'a@example.com', host: 'id.example.com' };
		const { lines } = dialogLines(
			passwordDialog(wanted, typedLineFrom('•••'), bindings, now),
			{ columns: 80, rows: 24 },
			theme,
		);
		expect(lines.join('\n')).toContain('Enter signs in · Esc stays signed out');
		expect(lines.join('\n')).toContain('Password: •••');
		expect(passwordDialog(wanted, typedLineFrom(''), bindings, now).title).toBe('Sign in to work');
		const { profile: _, ...unnamed } = wanted;
		expect(passwordDialog(unnamed, typedLineFrom(''), bindings, now).title).toBe(
			'Sign in to id.example.com',
		);
	});
});

test('a second refusal of a password looks different from the first', () => {
	const asked = { email: 'a@example.com', host: 'id.example.com', problem: 'Invalid credentials' };
	const linesAfter = (refusals: Pick<PasswordPrompt, 'refusedCount' | 'refusedAt'>) =>
		passwordDialog({ ...asked, ...refusals }, typedLineFrom(''), bindings, now).lines.map(
			([text]) => text,
		);
	expect(linesAfter({})).toContain('Invalid credentials.');
	expect(linesAfter({ refusedCount: 1, refusedAt: now })).toContain('Invalid credentials.');
	const second = linesAfter({ refusedCount: 2, refusedAt: now }).join(' ');
	expect(second).toMatch(/Attempt 2 failed at \d\d:\d\d:\d\d: Invalid credentials\./);
});

test('a question says how many of its computers the filter hides', () => {
	const question = ask('stop', [atlas.id, 'sb_1', 'sb_2']);
	const filtered = { ...screen, filters: { fleet: 'status:stopped', models: '', log: '' } };
	const seen = (ids: readonly string[], look: TableView['screen'] = filtered) =>
		said(question, undefined, { screen: look, ids: ids.map(rowId), now });
	expect(seen(['sb_3'])).toContain('All of these computers are hidden by the filter.');
	expect(seen([atlas.id])).toContain('2 of these computers are hidden by the filter.');
	expect(seen([atlas.id, 'sb_1'])).toContain('1 of these computers is hidden by the filter.');
	expect(seen([atlas.id, 'sb_1', 'sb_2'])).not.toContain('hidden');
	expect(seen([], { ...filtered, view: 'versions' })).not.toContain('hidden');
	expect(seen([], screen)).not.toContain('hidden');
});

describe('a question about 1000 computers', () => {
	const boxes = Array.from({ length: 1000 }, (_, n) => boxComputer(n, { name: `computer-${n}` }));
	const many = accountAfter(listRead(now, boxes));
	const ids = boxes.map(({ id }) => id);

	test('leaves the header visible, and shortens the command to two lines', () => {
		const question = ask('delete', ids, { account: many });
		const size = { columns: 80, rows: 24 };
		const lines = drawn(question, size, everything, many);
		expect(lines.length).toBeLessThanOrEqual(24 - 5);
		const command = lines.findIndex(line => line.includes('crowsnest delete'));
		const prompt = lines.findIndex(line => line.includes('Type delete 1000 to delete them:'));
		// The line between them is kept for what changes while the question is open.
		expect(prompt - command).toBe(3);
		const shown = lines.slice(command, prompt).join(' ');
		expect(shown).toMatch(/computer-0 computer-1 .*… and 99\d more --yes/);
		expect(commandOf(question)).toContain('computer-999');
		expect(said(ask('stop', [atlas.id, 'sb_1']))).toContain('crowsnest stop atlas sb_1 --yes');
	});

	test('names a computer that changed while it is open, counts the others, and moves nothing', () => {
		const question = ask('stop', ids, { account: many });
		const later = accountAfter(
			listRead(
				now + 5_000,
				boxes.map(each => ({ ...each, status: 'stopped' })),
			),
		);
		const lines = drawn(question, { columns: 80, rows: 24 }, everything, later);
		expect(lines.join('\n')).toContain(
			'Meanwhile computer-0 is stopped now. 999 more have changed.',
		);
		const before = drawn(question, { columns: 80, rows: 24 }, everything, many);
		expect(lines.map(line => line.replace(/Meanwhile.*changed\./, '').replace(/ +/g, ' '))).toEqual(
			before.map(line => line.replace(/ +/g, ' ')),
		);
		expect(lines.length).toBeLessThanOrEqual(24 - 5);
	});

	test('groups the skipped computers by the reason', () => {
		const idle = accountAfter(
			listRead(now, [
				...boxes.slice(0, 5).map(each => ({ ...each, status: 'stopped' })),
				boxComputer(7, { status: 'updating' }),
				...boxes.slice(8, 10),
			]),
		);
		const text = said(
			ask('stop', ids.slice(0, 10), { account: idle }),
			undefined,
			everything,
			idle,
		);
		expect(text).toContain('Skipped 5 (already stopped): computer-0,');
		expect(text).toContain('computer-2 and 2\nmore');
		expect(text).toContain('Skipped box 7: being updated now');
	});
});

test('a question shows why a typed confirmation is wrong on a screen of 8 rows', () => {
	const question = ask('delete');
	const refused = { ...dialogEntryFor(undefined, question), problem: 'That is not atlas.' };
	expect(said(question, { columns: 60, rows: 8 }, everything, fleet, refused)).toContain(
		'That is not atlas.',
	);
});

test('the quit dialog lists operations that continue and operations whose outcome is unknown', () => {
	const wish = (name: string) => ({ key: name, operation: 'stop' as const, name });
	const leaving = {
		sent: [wish('atlas')],
		unknown: [wish('borealis'), wish('cygnus')],
		running: [],
		dropped: [],
	};
	const asked = { about: 'leave', openingKey: 'q' } as const;
	const { lines } = confirmationDialog(asked, leaving, bindings);
	expect(lines.map(([text]) => text)).toEqual([
		'Continues after quitting:',
		'stop atlas',
		'Outcome still unknown:',
		'stop borealis, stop cygnus',
	]);
});

test('the question before a payment page shows the equivalent command', () => {
	const equivalentCommand = 'crowsnest checkout --yes';
	const asked = { about: 'pay', openingKey: 'o', equivalentCommand } as const;
	const dialog = confirmationDialog(
		asked,
		{ sent: [], running: [], unknown: [], dropped: [] },
		bindings,
	);
	const { lines } = dialogLines(dialog, { columns: 80, rows: 24 }, theme);
	const text = lines.map(stripVTControlCharacters).join('\n');
	expect(text).toContain('│ crowsnest checkout --yes ');
	expect(text).toContain('│ y opens the page · n cancels · c copies the command ');
});

test('a question says the consequence first, then what identifies the target, and then the keys', () => {
	const lines = said(ask('delete')).split('\n');
	const at = (text: string) => lines.findIndex(line => line.includes(text));
	const places = ['Erases it for good', atlas.id, 'Type atlas to delete it', 'Enter deletes'].map(
		at,
	);
	expect(places.every(place => place > 0)).toBe(true);
	expect(places).toEqual(places.toSorted((one, other) => one - other));
});

test('a dialog says what each key does in the same words: the key, and then a verb', () => {
	const nothing = { sent: [], running: [], unknown: [], dropped: [] };
	const hintsOf = (about: 'leave' | 'unlock' | 'pay' | 'billing' | 'removeAccount') =>
		confirmationDialog({ about, openingKey: 'q' }, nothing, bindings).hints.join(' · ');
	expect(hintsOf('leave')).toBe('y quits · n stays');
	expect(hintsOf('unlock')).toBe('y unlocks · n cancels');
	expect(hintsOf('pay')).toBe('y opens the page · n cancels');
	expect(hintsOf('billing')).toBe('y starts billing · n cancels');
	expect(hintsOf('removeAccount')).toBe('y takes it out · n cancels');
	const asked = { about: 'unlock', openingKey: 'y' } as const;
	expect(confirmationDialog(asked, nothing, bindings).hints[0]).toBe('Y unlocks');
});

test('a typed confirmation shows the text to type in another style', () => {
	const question = ask('delete');
	const open = openDialogOf(screen, { operations: { question }, passwordPrompt: undefined });
	if (open?.kind !== 'question') throw new Error('no question is open');
	const { prompt } = questionDialog(open, onlyAccount(fleet), everything, bindings);
	expect(prompt).toEqual([['Type '], ['atlas', 'chosen'], [' to delete it: ']]);
});

describe('what an operation loses', () => {
	const small = (question: Question, columns: number, rows: number, account = fleet) => {
		const open = openDialogOf(screen, { operations: { question }, passwordPrompt: undefined });
		if (open?.kind !== 'question') throw new Error('no question is open');
		const dialog = questionDialog(open, onlyAccount(account), everything, bindings);
		const box = dialogLines(dialog, { columns, rows }, theme);
		const text = box.lines
			.map(line => stripVTControlCharacters(line).slice(2, -2).trim())
			.join(' ');
		return { ...box, text };
	};

	test.each([
		['delete', [atlas.id], ['Delete atlas?', 'Erases it for good.', 'Type atlas', 'Enter deletes']],
		['stop', [atlas.id], ['Stop atlas?', 'It stops answering.', 'y stops · n cancels']],
		['restart', [atlas.id], ['Restart atlas?', 'Its processes end.', 'y restarts']],
		['publish', [atlas.id], ['Publish atlas?', 'Anyone can reach it.', 'Port']],
		['create', [], ['Create a computer?', 'Burns credits.', 'Enter continues']],
		['stop', [atlas.id, 'sb_1'], ['Stop 2 computers?', 'They stop answering.', 'y stops']],
	] as const)(
		'is in sight in the question “%s” about %j on 30 by 6 cells',
		(operation, ids, texts) => {
			const { text, lines, isCut } = small(ask(operation, ids), 30, 6);
			expect(isCut).toBe(false);
			expect(lines.length).toBeLessThanOrEqual(6);
			for (const each of texts) expect(text).toContain(each);
		},
	);

	test('is in sight in every question on every screen, or the question says that it cannot be answered', () => {
		const isInSight = (text: string) =>
			text.includes('Erases it for good') && !text.includes('Enlarge the terminal');
		for (let columns = 30; columns <= 100; columns += 5)
			for (let rows = 6; rows <= 30; rows += 1) {
				const { text, lines, isCut } = small(ask('delete'), columns, rows);
				expect(isInSight(text), `${columns} by ${rows}: ${text}`).toBe(isCut === false);
				expect(lines.length).toBeLessThanOrEqual(rows);
				expect(text).toContain('Delete atlas?');
			}
	});

	test('stands below a name that is too long for the frame', () => {
		const name = 'billing-worker-production-eu-1';
		const long = accountAfter(listRead(now, [boxComputer(1, { name })]));
		const { text, isCut } = small(ask('stop', ['sb_1'], { account: long }), 30, 8, long);
		expect(text).toContain('Stop billing-worker-productio n-eu-1? It stops answering.');
		expect(isCut).toBe(false);
	});
});
