import { expect, test } from 'vitest';
import { createTheme } from '../../../source/drawing/theme.ts';
import { typedLineFrom } from '../../../source/screen/typed-line.ts';
import { dialogLines } from '../../../source/wording/dialogs/dialog-text.ts';

const theme = createTheme({ colourBits: 0, background: 'dark', hasUnicode: true });

test('a dialog with a long error message fits into 30 by 6 cells, and still shows its prompt', () => {
	const { lines } = dialogLines(
		{
			title: 'Delete 6 computers?',
			tone: 'bad',
			lines: [['Erases them for good: workspaces, chat history, packages and settings.']],
			problem: 'Pasting does not confirm. Type delete 6.',
			prompt: [['Type delete 6: ']],
			typed: [typedLineFrom(''), 'strong'],
			hints: ['Enter deletes', 'Esc keeps them'],
		},
		{ columns: 30, rows: 6 },
		theme,
	);
	expect(lines).toHaveLength(6);
	expect(lines.join('\n')).toContain('confirm. Type delete 6.');
	expect(lines.join('\n')).toContain('Type delete 6: ▏');
	expect(lines.join('\n')).toContain('Enter deletes');
});

test('news moves neither the frame nor what stands before it and below it, at any size', () => {
	const news =
		'The platform has not answered since 08:14:07. This question is based on data from then.';
	for (let rows = 6; rows <= 40; rows += 1)
		for (const columns of [30, 60, 80, 120])
			for (const lineCount of [1, 2, 4, 9, 30]) {
				const at = `${columns}x${rows}, ${lineCount} lines`;
				const drawn = (text: string) =>
					dialogLines(
						{
							...{ title: 'Stop atlas?', tone: 'accent', prompt: [['Stop it?']] },
							lines: Array.from({ length: lineCount }, (_, line) => [`line ${line}`] as const),
							essential: { lineCount: 2, short: [['short']] },
							commands: ['crowsnest stop atlas --yes'],
							hints: ['y stops', 'n keeps it running', 'c copies the command'],
							news: text,
						},
						{ columns, rows },
						theme,
					).lines;
				const [before, after] = [drawn(''), drawn(news)];
				expect(after.length, at).toBe(before.length);
				expect(after.at(-2), at).toBe(before.at(-2));
				expect(after.length, at).toBeLessThanOrEqual(rows);
				const changed = before.flatMap((line, index) => (line === after[index] ? [] : index));
				expect(after.join(' '), at).toContain('The platform has');
				// News that covers the essential lines is followed by their short form.
				const isShort = after.some(line => line.includes('short'));
				if (!isShort) expect((changed[0] ?? 0) >= before.length - 6, at).toBe(true);
			}
});
