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
		['delete', [atlas.id]],
		['stop', [atlas.id]],
		['restart', [atlas.id]],
		['publish', [atlas.id]],
		['create', []],
		['stop', [atlas.id, 'sb_1']],
	] as const)(
		'is in sight in the question “%s” about %j on every screen, or the question cannot be answered',
		(operation, ids) => {
			const question = ask(operation, ids);
			const loss = question.lines.slice(0, question.essentialCount).join(' ');
			expect(loss).not.toBe('');
			for (const columns of [30, 35, 40, 45, 50, 60, 80, 100])
				for (let rows = 6; rows <= 30; rows += 1) {
					const { text, lines, isCut } = boxOf(question, columns, rows);
					const where = `${columns} by ${rows}: ${text}`;
					expect(lines.length, where).toBeLessThanOrEqual(rows);
					expect(text, where).toContain('?');
					if (!isCut) expect(text, where).toContain(loss);
					const [, needed] = /Needs (\d+) rows · (?:n|Esc)\b/.exec(text) ?? [];
					expect(needed !== undefined, where).toBe(isCut);
					if (needed) expect(boxOf(question, columns, Number(needed)).isCut).toBe(false);
				}
		},
	);

	test('is lost by computers whose names are in sight too, or the question cannot be answered', () => {
		const question = ask('stop', [atlas.id, 'sb_1']);
		for (let rows = 6; rows <= 30; rows += 1) {
			const { text, isCut } = boxOf(question, 40, rows);
			expect(isCut || text.includes('atlas, box 1'), text).toBe(true);
		}
	});

	test('stands below a name that is too long for the frame', () => {
		const name = 'billing-worker-production-eu-1';
		const long = accountAfter(listRead(now, [boxComputer(1, { name })]));
		const { text, isCut } = boxOf(ask('stop', ['sb_1'], { account: long }), 30, 14, long);
		expect(text).toContain('Stop billing-worker-productio n-eu-1? It stops answering');
		expect(isCut).toBe(false);
	});
});

test.each([
	['', 20, 7],
	['Meanwhile atlas stopped.', 20, 7],
	['', 7, 7],
	['Meanwhile atlas stopped.', 7, 7],
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
	expect(shownIn(10)).toBe('Esc');
});
