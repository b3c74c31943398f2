// The page docs/benchmarks.md: an introduction, and a section for each table of figures. A run replaces the tables that
// it measured and leaves the others alone, so that a part can be measured by itself. A sentence below each table says
// when and where it was measured. The text after it is written by hand and stays.

/**
 * Returns the page with the measured tables in it.
 *
 * @param {string} page the present page
 * @param {{ title: string, rows: string[][] }[]} tables
 * @param {string} origin when and where the tables were measured, as one line
 */
export function pageWithTables(page, tables, origin) {
	const [introduction, ...sections] = page.trimEnd().split(/\n(?=## )/);
	for (const { title, rows } of tables) {
		const heading = `## ${title}`;
		const index = sections.findIndex(each => each.split('\n', 1)[0] === heading);
		const text = handWrittenTextOf(sections[index] ?? '');
		const section = [heading, '', tableOf(rows), '', origin, ...(text && ['', text]), ''].join(
			'\n',
		);
		if (index === -1) sections.push(section);
		else sections[index] = section;
	}
	return [introduction, ...sections].map(each => `${each.trimEnd()}\n`).join('\n');
}

/** Returns what stands after the first table of a section and the sentence about its origin. */
function handWrittenTextOf(section) {
	const [, after = ''] = /\n\| --- .*\n(?:\|.*\n?)*\n*([\s\S]*)$/.exec(section) ?? [];
	return after.replace(/^Measured .*\n*/, '').trim();
}

const tableOf = rows =>
	[
		'| | measured | goal | |',
		'| --- | ---: | --- | --- |',
		...rows.map(row => `| ${row.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`),
	].join('\n');
