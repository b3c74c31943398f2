import { replaceOnce } from './edit.js';

export const unchangedTexts = {
	name: 'unchanged-texts',
	reason:
		'Ink cleans and measures every text in every frame, and computes the layout again when a text changes. Our replacement does so only for a text that changed, and computes the layout only if its size may change.',
	gain: 'A move of the cursor measures and cleans 3 texts instead of 45, and computes no layout.',
	upstream: 'None: most programs draw few texts.',
	packages: { ink: '8.0.0' },
	files: {
		// If the natural size of a truncated text stays the same, every layout gives it the same size, so it is not
		// measured again.
		'ink/build/dom.js': source =>
			replaceOnce(
				source,
				/node\.nodeValue = text;\n\s*markNodeAsDirty\(node\);/,
				`const parent = node.parentNode;
				const isCut = parent?.nodeName === 'ink-text' && parent.style.textWrap?.startsWith('truncate');
				const before = isCut ? measureText(squashTextNodes(parent)) : undefined;
				node.nodeValue = text;
				const after = isCut ? measureText(squashTextNodes(parent)) : undefined;
				if (isCut && before.width === after.width && before.height === after.height) return;
				markNodeAsDirty(node);`,
			),
		// A text without a style of Ink needs no transformer, and its constant style is the same object every time.
		'ink/build/components/Text.js': source =>
			replaceOnce(
				replaceOnce(
					replaceOnce(
						source,
						/style: \{\s*flexGrow: 0,[\s\S]*?textWrap: wrap,\s*\}/,
						'style: styleOf(wrap)',
					),
					'isScreenReaderEnabled ? undefined : transform',
					'isScreenReaderEnabled || isPlain ? undefined : transform',
				),
				'const transform = ',
				`const isPlain = !(dimColor || color || effectiveBackgroundColor || bold || italic || underline || strikethrough || inverse);
				const transform = `,
			).concat(`
				const styles = new Map();
				function styleOf(textWrap) {
					let style = styles.get(textWrap);
					if (style) return style;
					style = { flexGrow: 0, flexShrink: 1, flexDirection: 'row', textWrap };
					styles.set(textWrap, style);
					return style;
				}`),
		'ink/build/squash-text-nodes.js': source =>
			replaceOnce(
				replaceOnce(source, 'const squashTextNodes = (node) => {', 'const squash = (node) => {'),
				'export default squashTextNodes;',
				`function squashTextNodes(node) {
					const [child, ...others] = node.childNodes;
					if (others.length > 0 || child?.nodeName !== '#text') return squash(node);
					const { kept } = child;
					if (kept?.value === child.nodeValue && kept.parentName === node.nodeName) return kept.text;
					const text = squash(node);
					child.kept = { value: child.nodeValue, parentName: node.nodeName, text };
					return text;
				}
				export default squashTextNodes;`,
			),
		'ink/build/render-node-to-output.js': source =>
			replaceOnce(
				replaceOnce(
					source,
					"import widestLine from 'widest-line';",
					"import measureText from './measure-text.js';",
				),
				'const currentWidth = widestLine(text);',
				'const currentWidth = measureText(text).width;',
			),
	},
};
