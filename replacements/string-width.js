import { replaceOnce, terminalOutputFolder } from './edit.js';

export const stringWidth = {
	name: 'string-width',
	reason:
		'Ink measures the whole screen in every frame, and the package segments each text that is not ASCII. That is half of the processor time of a frame. The widths of plain characters are added up here.',
	packages: { 'string-width': '8.3.0' },
	files: {
		'string-width/index.js': source =>
			`import { plainTextWidth } from '${terminalOutputFolder}character-width.ts';
			${replaceOnce(source, /export default function stringWidth/, 'function exactWidth')}
			export default function stringWidth(text, options) {
				return (options ? undefined : plainTextWidth(text)) ?? exactWidth(text, options);
			}`,
	},
};
