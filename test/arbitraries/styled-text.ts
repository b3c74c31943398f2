import fc from 'fast-check';

/** Narrow, wide, joined and invisible characters, none of which joins with the previous one. */
export const glyphs = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom(...'abcXYZ0123 .-') },
	{ weight: 2, arbitrary: fc.constantFrom(' ', '   ', 'é', '─', '●', '❯', '━', '…', 'Ω', 'ж') },
	{ weight: 2, arbitrary: fc.constantFrom('中', '한', 'あ', '。', 'Ａ') },
	{
		weight: 1,
		arbitrary: fc.constantFrom(
			...['e\u0301', '🙂', '👩‍💻', '👨‍👩‍👧‍👦', '🇩🇪', '❤️', '👍🏽', '𝒜', '\u200B', '\u00AD', '1️⃣'],
		),
	},
);

export const sgr = fc
	.oneof(
		fc.constantFrom(...'0 1 2 3 4 7 8 9 53 22 23 24 27 28 29'.split(' ')),
		fc.constantFrom(...'31 32 37 39 44 47 49 91 104 1;31 0;7 1;2 55'.split(' ')),
		fc.integer({ min: 0, max: 255 }).map(colour => `38;5;${colour}`),
		fc.integer({ min: 0, max: 255 }).map(colour => `48;5;${colour}`),
		fc
			.tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 255 }))
			.map(([red, blue]) => `48;2;${red};0;${blue}`),
		fc.integer({ min: 0, max: 255 }).map(red => `38;2;${red};10;20`),
	)
	.map(codes => `\u001B[${codes}m`);

const link = fc.constantFrom(
	'\u001B]8;;https://example.com/a\u0007',
	'\u001B]8;id=b;https://example.com/b\u0007',
	'\u001B]8;;\u0007',
);

export function styledText({ maxLength, hasLines }: { maxLength: number; hasLines: boolean }) {
	return fc
		.array(
			fc.oneof(
				{ weight: 6, arbitrary: glyphs },
				{ weight: 2, arbitrary: sgr },
				{ weight: 1, arbitrary: link },
				...(hasLines ? [{ weight: 1, arbitrary: fc.constant('\n') }] : []),
			),
			{ maxLength },
		)
		.map(parts => parts.join(''));
}
