import { replaceOnce, terminalFolder } from './edit.js';

export const sanitizeAnsi = {
	name: 'sanitize-ansi',
	reason:
		'Ink takes each text apart, again in every frame, to find sequences that would harm its layout. Ours passes on at once what has only plain characters and styles.',
	gain: 'It was not measured by itself; in frames whose texts change it saves a scan of each text.',
	upstream: 'None: it was written for text of any origin, and ours was cleaned before.',
	packages: { ink: '8.0.0' },
	files: {
		'ink/build/sanitize-ansi.js': source =>
			replaceOnce(
				source,
				'export default sanitizeAnsi;',
				`import { isPlainlyStyled } from '${terminalFolder}text-width.ts';
				export default text => (isPlainlyStyled(text) ? text : sanitizeAnsi(text));`,
			),
	},
};
