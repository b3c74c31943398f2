import { readFileSync } from 'node:fs';
import { root } from './build.js';

const pageOf = name => readFileSync(`${root}docs/${name}.md`, 'utf8');

/** Returns the pages of docs/ as one for man: headings become sections, and rows of tables entries. */
export const manualPage = (version, description) =>
	`.TH CROWSNEST 1 "" "crowsnest ${version}"\n.SH NAME\ncrowsnest \\- ${description}\n.SH SYNOPSIS\ncrowsnest [COMMAND] [OPTIONS]\n` +
	`${pageOf('keys').replace(/^#/gm, '##')}\n${pageOf('reference')}`
		.replace(/^(# Reference|<!.*|\[.*\]\(#.*|Keys have .*|\|.*\n\| -.*)\n/gm, '')
		.replace(/\\(?!\|)/g, '\\e')
		.replaceAll('-', '\\-')
		.replace(/^`*[.']/gm, '\\&$&')
		.replace(/^```\w*\n(.*?)^```$/gms, '.PP\n.EX\n$1.EE')
		.replace(/`` (.*?) ``|`([^`]*)`|\[([^\]]*)\]\(.*?\)/g, '$1$2$3')
		.replace(/^## (.*)/gm, (_, title) => `.SH ${title.toUpperCase()}`)
		.replace(/^###+ (.*)/gm, '.SS $1')
		.replace(/^(\| .* \| .*) \| (.*) \|$/gm, '$1 ($2) |')
		.replace(/^\| (.*?) \| (.*) \|$/gm, '.TP\n\\fB$1\\fR\n\\&$2')
		.replace(/\n\n+(?=[^.])/g, '\n.PP\n')
		.replace(/\n\n+/g, '\n')
		.replaceAll('\\|', '|');
