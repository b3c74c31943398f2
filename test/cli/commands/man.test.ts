import { expect, test } from 'vitest';
import { commands } from '../../../source/cli/catalog.ts';
import { manualPage } from '../../../source/cli/manual/page.ts';
import { plainManual } from '../../../source/cli/manual/plain.ts';
import { roffText } from '../../../source/cli/manual/roff.ts';
import { helpHeadings } from '../../../source/keys/binding.ts';
import { bindings } from '../../../source/keys/bindings.ts';

const page = manualPage(commands, '1.2.3');

/** The manual page with the most frequent roff escapes decoded. */
const plain = page
	.replaceAll('\\-', '-')
	.replaceAll('\\(aq', "'")
	.replaceAll('\\(dq', '"')
	.replaceAll('\\(ti', '~');

test('the manual page contains every command, option, example and field', () => {
	for (const { name, options, examples, json, isHidden } of commands) {
		expect(plain.includes(`.SS "crowsnest ${name} [OPTIONS]`), name).toBe(!isHidden);
		if (isHidden) continue;
		for (const option of options) expect(plain).toContain(`--${option.name}`);
		for (const example of examples) expect(plain).toContain(example);
		for (const field of Object.keys(json?.fields ?? {})) expect(plain).toContain(`.B "${field}"`);
	}
	for (const code of [0, 1, 2, 3, 4, 130]) expect(plain).toContain(`.B "${code}"`);
	expect(plain).toContain('.B "CROWSNEST_URL"');
});

test('the manual page lists every key binding once, with the name of its action', () => {
	const [, section = ''] = plain.split('.SH "KEYS"\n');
	const [keys = ''] = section.split('\n.SH ');
	// The greeting of the first start names its own keys.
	const listed = bindings.filter(
		({ keys: names, contexts }) =>
			names.length > 0 && helpHeadings.some(([place]) => contexts.includes(place)),
	);
	for (const { action } of listed)
		expect(`${keys}\n`.split(` (${action})\n`).length - 1, action).toBe(1);
	expect(keys).toContain('.SS "In a question"\n');
});

test('the manual page uses only the macros of man, and closes each macro', () => {
	const macros = page.match(/^[.'].*$/gm) ?? [];
	for (const macro of macros) expect(macro).toMatch(/^\.(TH|SH|SS|PP|TP|B|RS 4|RE|nf|fi)( |$)/);
	const count = (macro: string) => macros.filter(each => each.startsWith(macro)).length;
	expect(count('.nf')).toBe(count('.fi'));
	expect(count('.RS')).toBe(count('.RE'));
	expect(page).toMatch(/^[\x20-\x7e\n]*$/);
});

test('on a terminal, the manual is plain text', () => {
	const text = plainManual(page, 80);
	expect(text).toMatch(/^NAME\n {4}crowsnest - a terminal monitor/);
	expect(text).not.toMatch(/^\.|\\\(|\\-/m);
	expect(text).toContain('crowsnest list --all-profiles');
	for (const line of text.split('\n').filter(each => / [a-z]+ [a-z]+ [a-z]+ /.test(each)))
		expect(line.length).toBeLessThan(140);
});

test('every text in the manual page is escaped for man', () => {
	expect(roffText('.SH x')).toBe('\\&.SH x');
	expect(roffText("a\n'quoted'")).toBe('a\n\\(aqquoted\\(aq');
	expect(roffText('C:\\n --json ~/x')).toBe('C:\\en \\-\\-json \\(ti/x');
	expect(roffText('ID…')).toBe('ID\\[u2026]');
});
