import { describe, expect, test } from 'vitest';
import { textOf } from '../../source/lines/span.ts';
import type { Question } from '../../source/operations/question-wording.ts';
import { dialogBox, keyLine } from '../../source/views/dialogs/dialog.ts';
import { openDialogOf } from '../../source/views/dialogs/dialog-table.ts';
import { openBox } from '../../source/views/dialogs/open-dialog.ts';
import { initialScreen } from '../../source/views/look/screen.ts';
import { accountAfter, listRead } from '../arbitraries/sample-facts.ts';
import { ask, atlas, boxComputer, fleet, now } from '../operations/ask-question.ts';
import { sampleScene } from './sample-scene.ts';

function boxOf(question: Question, columns: number, rows: number, account = fleet) {
	const scene = sampleScene(account, [columns, rows], { now });
	const reasons = { operations: { question }, passwordPrompt: undefined };
	const open = openDialogOf(initialScreen(), reasons);
	const box = open && openBox(open, scene);
	if (!box) throw new Error('no question is open');
	const text = box.lines.map(spans => textOf(spans).slice(2, -2).trim()).join(' ');
	return { ...box, text };
}

describe('what an operation loses', () => {
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
			const { text, lines, isCut } = boxOf(ask(operation, ids), 30, 6);
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
				const { text, lines, isCut } = boxOf(ask('delete'), columns, rows);
				expect(isInSight(text), `${columns} by ${rows}: ${text}`).toBe(isCut === false);
				expect(lines.length).toBeLessThanOrEqual(rows);
				expect(text).toContain('Delete atlas?');
			}
	});

	test('stands below a name that is too long for the frame', () => {
		const name = 'billing-worker-production-eu-1';
		const long = accountAfter(listRead(now, [boxComputer(1, { name })]));
		const { text, isCut } = boxOf(ask('stop', ['sb_1'], { account: long }), 30, 8, long);
		expect(text).toContain('Stop billing-worker-productio n-eu-1? It stops answering.');
		expect(isCut).toBe(false);
	});

	test('refuses the answer where even its short form has no room', () => {
		const dialog = {
			title: 'Stop?',
			tone: 'accent',
			lines: [['Everything stops answering until it is started again.']],
			essential: { lineCount: 1, short: [['All of them stop answering now.']] },
			hints: ['y stops', 'n cancels'],
		} as const;
		const small = dialogBox(dialog, { columns: 30, rows: 4 });
		expect(small.isCut).toBe(true);
		expect(small.lines.map(textOf).join()).toContain(
			'Enlarge the terminal · n cancels'.slice(0, 20),
		);
		expect(dialogBox(dialog, { columns: 80, rows: 24 }).isCut).toBe(false);
	});
});

test.each([
	['', 20, 7],
	['Meanwhile atlas stopped.', 20, 7],
	['', 7, 6],
	['Meanwhile atlas stopped.', 7, 6],
])('the news “%s” moves nothing in a dialog on %i rows', (news, rows, height) => {
	const lines = [['It stops.'], ['It stays.'], ['It is kept.']] as const;
	const dialog = { title: 'Stop?', tone: 'accent', lines, hints: ['y stops'], news } as const;
	const box = dialogBox(dialog, { columns: 40, rows });
	expect(box.lines).toHaveLength(height);
	expect(box.lines.map(textOf).join()).toContain(news);
});

test('the key that refuses stays in sight, and the others leave first', () => {
	const hints = ['Enter deletes', 'Esc cancels', 'Ctrl-Y copies the command'];
	const shownIn = (width: number) => textOf(keyLine(hints, width));
	expect(shownIn(60)).toBe('Enter deletes · Esc cancels · Ctrl-Y copies the command');
	expect(shownIn(40)).toBe('Enter deletes · Esc cancels');
	expect(shownIn(20)).toBe('Enter deletes · Esc');
});
