import { exitCodes } from '../../foundation/error.ts';
import type { Command } from '../command.ts';
import { wrappedLines } from '../help.ts';

export const man: Command = {
	name: 'man',
	isRare: true,
	summary: 'print the manual page',
	options: [],
	examples: ['crowsnest man | man -l -', 'crowsnest man > ~/.local/share/man/man1/crowsnest.1'],
	async run({ program, version }) {
		const blocks = [introduction, __KEYS__, __REFERENCE__].flatMap(page => [...blocksOf(page)]);
		const { isTTY, columns } = program.stdout;
		program.stdout.write(
			isTTY ? plainText(blocks, Math.max(40, Math.min(columns, 100))) : roff(blocks, version),
		);
		return exitCodes.done;
	},
};

const introduction = `# Name

crowsnest - a terminal monitor for a fleet of cloud computers

# Synopsis

crowsnest [COMMAND] [OPTIONS] [ARGUMENTS]

# Description

Without a command, crowsnest opens the monitor. It shows what each computer is doing and how old that data is, and starts, stops or
updates computers at the press of a key. Options may also precede the name of a command.
`;

/** An entry is a row of a table, with a term. */
type Block = {
	type: 'title' | 'subtitle' | 'text' | 'entry' | 'code';
	text: string;
	term?: string;
};

function* blocksOf(page: string): Generator<Block> {
	const topLevel = page.startsWith('# Reference') ? 2 : 1;
	let code: string[] | undefined;
	let text: string[] = [];
	let header: readonly string[] = [];
	for (const line of [...page.split('\n'), '']) {
		const [, level = '', title] = /^(#+) (.*)$/.exec(code ? '' : line) ?? [];
		if (line.startsWith('```')) {
			if (code) yield { type: 'code', text: code.join('\n') };
			code = code ? undefined : [];
		} else if (code) code.push(line);
		else if (title === 'Reference') continue;
		else if (title !== undefined)
			yield { type: level.length > topLevel ? 'subtitle' : 'title', text: plain(title) };
		else if (line.startsWith('| ')) {
			const cells = line
				.slice(2, -2)
				.split(/(?<!\\)\s\|\s/)
				.map(plain);
			if (header.length === 0) header = cells;
			else if (cells[0] !== '---') yield entryFrom(header, cells);
		} else if (line !== '') text.push(line);
		else {
			header = [];
			const paragraph = text.join(' ');
			text = [];
			// What is only for a reader of the web page is left out: the note about its origin, and its contents.
			if (paragraph !== '' && !/^<!--|^\[.*\]\(#|\(keys\.md\)/.test(paragraph))
				yield { type: 'text', text: plain(paragraph) };
		}
	}
}

function entryFrom(header: readonly string[], cells: readonly string[]): Block {
	const [term = '', text = '', more = ''] = cells;
	if (more === '') return { type: 'entry', term, text };
	return header[1] === 'example'
		? { type: 'entry', term: `${term} = ${text}`, text: more }
		: { type: 'entry', term, text: `${text} (${more})` };
}

const plain = (text: string) =>
	text
		.replaceAll(/`` (.*?) ``|`([^`]*)`/g, '$1$2')
		.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replaceAll('\\|', '|');

const plainText = (blocks: readonly Block[], width: number) =>
	`${blocks
		.flatMap(block => plainForms[block.type](block, width))
		.join('\n')
		.trimStart()}\n`;

const plainForms: Readonly<Record<Block['type'], (block: Block, width: number) => string[]>> = {
	title: ({ text }) => ['', text.toUpperCase()],
	subtitle: ({ text }) => ['', `  ${text}`],
	text: ({ text }, width) => ['', ...wrappedLines(text, width - 4).map(indentedBy(4))],
	entry: ({ term, text }, width) => [
		`    ${term}`,
		...wrappedLines(text, width - 10).map(indentedBy(10)),
	],
	code: ({ text }) => ['', ...text.split('\n').map(indentedBy(4))],
};

const indentedBy = (indent: number) => (line: string) => ' '.repeat(indent) + line;

/** Every text is escaped, so that groff never takes one for a macro. */
function roff(blocks: readonly Block[], version: string): string {
	const title = `.TH CROWSNEST 1 "" ${roffArgument(`crowsnest ${version}`)} "User Commands"`;
	return `${[title, ...blocks.map(block => roffForms[block.type](block))].join('\n')}\n`;
}

const roffForms: Readonly<Record<Block['type'], (block: Block) => string>> = {
	title: ({ text }) => `.SH ${roffArgument(text.toUpperCase())}`,
	subtitle: ({ text }) => `.SS ${roffArgument(text)}`,
	text: ({ text }) => `.PP\n${roffText(text)}`,
	entry: ({ term = '', text }) => `.TP\n.B ${roffArgument(term)}\n${roffText(text)}`,
	code: ({ text }) =>
		['.PP', '.RS 4', '.nf', ...text.split('\n').map(roffText), '.fi', '.RE'].join('\n'),
};

const roffArgument = (text: string) => `"${roffText(text).replaceAll('"', '\\(dq')}"`;

const roffText = (text: string) =>
	text
		.replaceAll('\\', '\\e')
		.replaceAll('-', '\\-')
		.replaceAll("'", '\\(aq')
		.replaceAll('`', '\\(ga')
		.replaceAll('^', '\\(ha')
		.replaceAll('~', '\\(ti')
		.replaceAll(/[^\x20-\x7e]/gu, character => `\\[u${codeOf(character)}]`)
		.replace(/^\./, '\\&.');

const codeOf = (character: string) =>
	(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
