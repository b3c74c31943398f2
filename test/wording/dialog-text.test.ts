import { expect, test } from 'vitest';
import { createTheme } from '../../source/drawing/theme.ts';
import { dialogLines } from '../../source/wording/dialog-text.ts';

const theme = createTheme({ colours: 0, background: 'dark', hasUnicode: true });

test('a dialog with a long problem fits into the smallest terminal, and keeps its prompt', () => {
	const { lines } = dialogLines(
		{
			title: 'Delete 6 computers?',
			token: 'bad',
			lines: [['Erases them for good: workspaces, chat history, packages and settings.']],
			problem: 'Type delete 6 by hand: pasting does not confirm.',
			prompt: [['Type delete 6: ']],
			typed: ['', 'strong'],
			hints: ['Enter deletes', 'Esc keeps them'],
		},
		{ columns: 30, rows: 6 },
		theme,
	);
	expect(lines).toHaveLength(6);
	expect(lines.join('\n')).toContain('Type delete 6 by hand');
	expect(lines.join('\n')).toContain('Type delete 6: ▏');
	expect(lines.join('\n')).toContain('Enter deletes');
});
