import { expect, test } from 'vitest';
import { spellOut } from '../../source/lines/print.ts';

test.each([
	[
		'credits 71.03 \u22121.01/h 2 d 22 h left',
		'credits 71.03, minus 1.01 an hour, 2 days 22 hours left',
	],
	['\u22481.01/h \u2248 3 d left', 'about 1.01 an hour, about 3 days left'],
	['Burn rate \u22481.01/h', 'Burn rate about 1.01 an hour'],
	['ports 8080', 'ports 8080'],
	['ports 8080 5173 3000', 'ports 8080, 5173 and 3000'],
	['web 80 443 failed on 27 2026', 'web 80 443 failed on 27 2026'],
	['2026-11-04 07:26', '2026-11-04 07:26'],
	['Esc cancels', 'Escape cancels'],
])('“%s” is spoken as “%s”', (text, spoken) => {
	expect(spellOut(text)).toBe(spoken);
});
