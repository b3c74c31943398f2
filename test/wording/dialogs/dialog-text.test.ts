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
