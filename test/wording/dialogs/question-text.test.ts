import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { bindings } from '../../../source/keys/bindings.ts';
import { openDialogOf } from '../../../source/keys/open-dialog.ts';
import type { Question } from '../../../source/operations/question-wording.ts';
import { initialScreen } from '../../../source/screen/screen.ts';
import { dialogLines } from '../../../source/wording/dialogs/dialog-text.ts';
import { questionDialog, type TableView } from '../../../source/wording/dialogs/question-text.ts';
import { accountAfter, listRead } from '../../arbitraries/sample-facts.ts';
import { onlyAccount } from '../../opened-account.ts';
import { ask, atlas, boxComputer, fleet, now } from '../../operations/ask-question.ts';
import { theme } from '../../sample-theme.ts';

const screen = initialScreen();
const everything: TableView = { screen, ids: [], now };

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
