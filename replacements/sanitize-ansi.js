import { replaceOnce, terminalOutputFolder } from './edit.js';

export const sanitizeAnsi = {
	name: 'sanitize-ansi',
	reason:
		'Ink parses each text in every frame to find sequences that would harm its layout. Our replacement skips texts that have only plain characters and styles.',
	gain: 'Not measured separately. It saves a parse of each text that changes.',
	upstream:
		'None: Ink must expect text of any origin, whereas our text is cleaned before Ink gets it.',
	packages: { ink: '8.0.0' },
	files: {
		'ink/build/sanitize-ansi.js': source =>
			replaceOnce(
				source,
				'export default sanitizeAnsi;',
				`import { isPlainlyStyled } from '${terminalOutputFolder}text-width.ts';
				export default text => (isPlainlyStyled(text) ? text : sanitizeAnsi(text));`,
			),
	},
};
