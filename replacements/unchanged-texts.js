import { replaceOnce, terminalOutputFolder } from './edit.js';

export const unchangedTexts = {
	name: 'unchanged-texts',
	reason:
		'Ink cleans and measures every text in every frame. Our replacement does so only for a text that changed. Ink also compares all properties of each element whose children changed.',
	packages: { ink: '8.0.0' },
	files: {
		// A text without a style of Ink needs no transformer, and its constant style is the same object every time. A text
		// without a background of its own passes on the background that it is in, so it needs no context.
		'ink/build/components/Text.js': source =>
			[
				[/style: \{\s*flexGrow: 0,[\s\S]*?textWrap: wrap,\s*\}/, 'style: styleOf(wrap)'],
				[
					'isScreenReaderEnabled ? undefined : transform',
					'isScreenReaderEnabled || isPlain ? undefined : transform',
				],
				[
					'const transform = ',
					`const isPlain = !(dimColor || color || effectiveBackgroundColor || bold || italic || underline || strikethrough || inverse);
					const transform = `,
				],
				[
					/return \(React\.createElement\(BackgroundContext, \{ value: effectiveBackgroundColor \},\s*([\s\S]*?childrenOrAriaLabel\))\)\);/,
					(_, element) =>
						`const element = ${element};
						if (backgroundColor === undefined) return element;
						return React.createElement(BackgroundContext, { value: backgroundColor }, element);`,
				],
			]
				.reduce((text, [found, replacement]) => replaceOnce(text, found, replacement), source)
				.concat(`
				const styles = new Map();
				function styleOf(textWrap) {
					let style = styles.get(textWrap);
					if (style) return style;
					style = { flexGrow: 0, flexShrink: 1, flexDirection: 'row', textWrap };
					styles.set(textWrap, style);
					return style;
				}`),
		// A box without a background of its own passes one on as a text does.
		'ink/build/components/Box.js': source =>
			replaceOnce(
				source,
				/return \((React\.createElement\(BackgroundContext, \{ value: effectiveBackgroundColor \}, boxElement\))\);/,
				'return backgroundColor ? $1 : boxElement;',
			),
		// Ink compares the properties of an element by arrays of their names and values. The children of an element are
		// elements themselves, so an element of which nothing else changed is left alone. After each change, Ink also looks at
		// all elements for one of static output, which our layout does not support.
		'ink/build/reconciler.js': source =>
			[
				[
					'const props = diff(oldProps, newProps);',
					`if (haveSameAttributes(oldProps, newProps)) return;
					const props = diff(oldProps, newProps);`,
				],
				['const staticNode = findStaticNode(rootNode);', 'const staticNode = undefined;'],
			]
				.reduce((text, [found, replacement]) => replaceOnce(text, found, replacement), source)
				.concat(`
				function haveSameAttributes(before, after) {
					for (const key in before) {
						const isSame = before[key] === after[key];
						if (isSame || key === 'children') continue;
						const isGroup = key === 'style' || key === 'internal_accessibility';
						if (!isGroup || !before[key] || !after[key]) return false;
						if (!haveSameAttributes(before[key], after[key])) return false;
					}
					for (const key in after) if (key !== 'children' && !(key in before)) return false;
					return true;
				}`),
		// Most texts are plain characters and styles. Ink would change nothing in them, and their width is the number of their
		// cells.
		'ink/build/squash-text-nodes.js': source =>
			replaceOnce(
				replaceOnce(source, 'const squashTextNodes = (node) => {', 'const squash = (node) => {'),
				'export default squashTextNodes;',
				`import { plainSizeOf as sizeOf } from '${terminalOutputFolder}ink-output.ts';
				function keptText(node) {
					const child = node.childNodes[0];
					if (node.childNodes.length !== 1 || child.nodeName !== '#text') return undefined;
					const { kept, nodeValue: value } = child;
					if (kept !== undefined && kept.value === value && kept.parentName === node.nodeName) return kept;
					const size = value === '' ? undefined : sizeOf(value);
					const text = size ? value : squash(node);
					child.kept = { value, parentName: node.nodeName, text, size };
					return child.kept;
				}
				export function plainSizeOf(node) {
					return keptText(node)?.size;
				}
				export default function squashTextNodes(node) {
					return keptText(node)?.text ?? squash(node);
				}`,
			),
		'ink/build/render-node-to-output.js': source =>
			replaceOnce(
				replaceOnce(
					source,
					"import widestLine from 'widest-line';",
					"import measureText from './measure-text.js';",
				),
				'const currentWidth = widestLine(text);',
				'const currentWidth = (plainSizeOf(node) ?? measureText(text)).width;',
			).concat("\nimport { plainSizeOf } from './squash-text-nodes.js';"),
	},
};
