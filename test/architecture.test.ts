import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

// The rooms from which each room may import, besides itself. A room imports only from rooms below it, and a
// nested folder is a room of its own: `fleet/*` stands for `fleet` and the rooms nested in it. The linter forbids libraries, globals and circular imports: see biome.json.
const allowed: Record<string, readonly string[]> = {
	'main.ts': ['cli', 'session', 'platform', 'children', 'foundation'],
	cli: ['cli/commands', 'script', 'shell', 'session', 'platform', 'foundation'],
	'cli/commands': [
		'hooks',
		'cli/monitor',
		'cli/doctor',
		'cli/login',
		'cli/manual',
		'cli/completion',
		'monitor/*',
		'script/*',
		'shell',
		'wording/*',
		'drawing',
		'keys',
		'screen',
		'session',
		'operations',
		'recording',
		'journal',
		'store',
		'platform/decoding',
		'accounts',
		'terminal/features',
		'simulator',
		'fleet/*',
		'foundation',
	],
	'cli/monitor': ['cli/login', 'speech', 'monitor', 'script', 'shell', 'session', 'terminal/*'],
	'cli/doctor': [
		'children',
		'cli/login',
		'shell',
		'wording/*',
		'keys',
		'session',
		'sharing',
		'watch',
		'journal',
		'platform/*',
		'pace',
		'accounts',
		'terminal/*',
		'fleet/*',
		'foundation',
	],
	'cli/login': ['shell', 'session', 'platform/*', 'accounts', 'foundation'],
	'cli/manual': ['shell', 'keys', 'accounts', 'fleet/computers'],
	'cli/completion': ['accounts', 'shell', 'fleet/computers'],
	speech: [
		'monitor/*',
		'wording/*',
		'drawing',
		'keys',
		'screen',
		'session',
		'operations',
		'store',
		'accounts',
		'terminal/*',
		'fleet/*',
		'foundation',
	],
	monitor: [
		'monitor/intents',
		'monitor/replay',
		'shell',
		'views',
		'wording/*',
		'drawing',
		'keys',
		'screen',
		'session',
		'operations',
		'watch',
		'journal',
		'store',
		'platform/decoding',
		'accounts',
		'terminal/*',
		'fleet/*',
		'foundation',
	],
	'monitor/intents': [
		'monitor/replay',
		'wording/*',
		'keys',
		'screen',
		'session',
		'operations',
		'store',
		'platform/*',
		'accounts',
		'terminal',
		'fleet/operations',
		'foundation',
		'fleet/computers',
	],
	'monitor/replay': [
		'wording/frame',
		'keys',
		'session',
		'operations',
		'recording',
		'store',
		'fleet/*',
		'foundation',
	],
	script: [
		'accounts',
		'shell',
		'wording/*',
		'drawing',
		'screen',
		'session',
		'sharing',
		'operations',
		'watch',
		'recording',
		'journal',
		'store',
		'platform/*',
		'terminal/*',
		'fleet/*',
		'foundation',
	],
	'script/textfile': ['store', 'accounts', 'fleet/*', 'foundation'],
	shell: [
		'hooks',
		'wording/table',
		'session',
		'platform/decoding',
		'accounts',
		'terminal/*',
		'simulator/*',
		'fleet/operations',
		'foundation',
	],
	views: [
		'wording/*',
		'drawing',
		'keys',
		'screen',
		'operations',
		'store',
		'terminal/*',
		'fleet/computers',
		'foundation',
	],
	'wording/frame': [
		'wording/views',
		'wording/table',
		'wording/phrases',
		'drawing',
		'keys',
		'screen',
		'operations',
		'store',
		'fleet/*',
		'foundation',
	],
	'wording/dialogs': [
		'accounts',
		'wording/palette',
		'wording/table',
		'wording/phrases',
		'drawing',
		'keys',
		'screen',
		'operations',
		'store',
		'fleet/operations',
		'foundation',
		'fleet/computers',
	],
	'wording/palette': [
		'wording/table',
		'wording/phrases',
		'drawing',
		'keys',
		'screen',
		'store',
		'fleet/operations',
		'foundation',
		'fleet/computers',
	],
	'wording/views': [
		'wording/map',
		'wording/table',
		'wording/phrases',
		'drawing',
		'keys',
		'screen',
		'operations',
		'store',
		'fleet/*',
		'foundation',
	],
	'wording/map': ['wording/table', 'drawing', 'keys', 'screen', 'store', 'fleet/*', 'foundation'],
	'wording/table': [
		'wording/phrases',
		'drawing',
		'screen',
		'operations',
		'store',
		'fleet/*',
		'foundation',
	],
	'wording/phrases': ['drawing', 'screen', 'operations', 'store', 'fleet/*', 'foundation'],
	drawing: ['screen', 'fleet/computers', 'foundation'],
	keys: [
		'screen',
		'operations',
		'terminal/input',
		'fleet',
		'fleet/operations',
		'fleet/computers',
		'foundation',
	],
	hooks: ['journal', 'store', 'children', 'accounts', 'fleet/computers', 'fleet', 'foundation'],
	screen: ['store', 'accounts', 'fleet/*', 'foundation'],
	session: [
		'children',
		'sharing',
		'operations',
		'watch',
		'journal',
		'store',
		'platform/*',
		'pace',
		'accounts',
		'terminal',
		'terminal/picture',
		'simulator',
		'simulator/endpoints',
		'simulator/world',
		'fleet',
		'fleet/operations',
		'foundation',
		'fleet/computers',
	],
	operations: ['children', 'store', 'platform/*', 'pace', 'fleet/*', 'foundation'],
	sharing: [
		'watch',
		'recording',
		'store',
		'platform/decoding',
		'accounts',
		'fleet/*',
		'foundation',
	],
	watch: ['store', 'platform/*', 'pace', 'fleet/*', 'foundation'],
	recording: ['store', 'fleet/*', 'foundation'],
	journal: ['store', 'accounts', 'fleet/*', 'foundation'],
	store: ['fleet/*', 'foundation'],
	platform: ['platform/decoding', 'pace', 'fleet/*', 'foundation'],
	'platform/decoding': ['pace', 'fleet/computers', 'foundation'],
	pace: ['foundation'],
	accounts: ['terminal/input', 'children', 'fleet/operations', 'fleet/computers', 'foundation'],
	terminal: [
		'terminal/picture',
		'terminal/process',
		'terminal/features',
		'terminal/input',
		'terminal/output',
		'foundation',
	],
	'terminal/picture': ['terminal/features'],
	'terminal/process': ['terminal/features', 'terminal/input', 'foundation'],
	'terminal/features': ['terminal/input', 'foundation'],
	'terminal/input': ['foundation'],
	'terminal/layout': [],
	'terminal/output': ['foundation'],
	simulator: ['simulator/endpoints', 'simulator/world'],
	'simulator/endpoints': ['simulator/world', 'fleet/computers'],
	'simulator/world': [],
	fleet: ['fleet/operations', 'fleet/computers', 'foundation'],
	'fleet/operations': ['fleet/computers', 'foundation'],
	'fleet/computers': ['foundation'],
	children: ['foundation'],
	foundation: [],
};

const source = resolve(import.meta.dirname, '../source');

/** Whether an entry of the table stands for a room. */
const standsFor = (entry: string, room: string) =>
	entry === room || (entry.endsWith('/*') && `${room}/`.startsWith(entry.slice(0, -1)));

/** Returns the room of a file: its folder, or the file itself if it is directly in `source/`. */
const roomAt = (name: string) => (name.includes('/') ? dirname(name) : name);

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
	.filter(name => /(?<!\.d)\.tsx?$/.test(name))
	.map(name => ({ name, room: roomAt(name), text: readFileSync(resolve(source, name), 'utf8') }));

type File = (typeof files)[number];

const importedBy = ({ text }: File) =>
	[...text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'([^']+)'/g)].map(match => match[1] ?? '');

function roomOf({ name }: File, imported: string) {
	return roomAt(relative(source, resolve(source, dirname(name), imported)));
}

const offenders = (isOffence: (file: File) => readonly string[]) =>
	files.flatMap(file => isOffence(file).map(offence => `${file.name}: ${offence}`));

test('every folder of source is a room in the table', () => {
	expect(offenders(({ room }) => (room in allowed ? [] : [room]))).toEqual([]);
	expect(files.length).toBeGreaterThan(10);
});

test('the files of each room import only from the rooms that the table allows', () => {
	const wrong = offenders(file =>
		importedBy(file)
			.filter(imported => imported.startsWith('.'))
			.map(imported => roomOf(file, imported))
			.filter(
				room => room !== file.room && !allowed[file.room]?.some(entry => standsFor(entry, room)),
			),
	);
	expect(wrong).toEqual([]);
});

test('the table of rooms allows a room to import only rooms listed below it', () => {
	const order = Object.keys(allowed);
	for (const [room, entries] of Object.entries(allowed)) {
		for (const entry of entries) {
			const others = order.filter(other => standsFor(entry, other));
			expect(others, `${room} → ${entry}`).not.toEqual([]);
			for (const other of others) {
				expect(order.indexOf(other), `${room} → ${other}`).toBeGreaterThan(order.indexOf(room));
			}
		}
	}
});

test('no source file has more than 250 lines or a vague name such as utils', () => {
	const long = offenders(({ text }) => {
		const lines = text.split('\n').length - 1;
		return lines > 250 ? [`${lines} lines`] : [];
	});
	const nameless = offenders(({ name }) =>
		/(^|\/)(index|utils?|helpers?|common|misc|manager|types)\.tsx?$/.test(name) ? ['name'] : [],
	);
	expect([...long, ...nameless]).toEqual([]);
});

// The comment right above such a function says: "The function is long because …".
const maxFunctionLines = 60;
const reasonForLength = /\bis (long|over 60 lines),? because\b/;

type SyntaxNode = { type: string; start: number; end: number };

const isSyntaxNode = (value: unknown): value is SyntaxNode =>
	typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

const isFunction = ({ type }: SyntaxNode) =>
	/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type);

/** A statement or a method that has a comment of its own may stand directly in one of these. */
const isContainer = ({ type }: SyntaxNode) =>
	/^(Program|BlockStatement|ObjectExpression)$/.test(type);

/** Returns the functions of a syntax tree, each with the outermost node that begins with it, such as its `export`. */
function* functionsIn(
	node: unknown,
	holder?: SyntaxNode,
): Generator<{ node: SyntaxNode; holder: SyntaxNode }> {
	if (Array.isArray(node)) {
		for (const each of node) yield* functionsIn(each, holder);
	} else if (isSyntaxNode(node)) {
		const current = isContainer(node) ? undefined : (holder ?? node);
		if (isFunction(node)) yield { node, holder: current ?? node };
		for (const each of Object.values(node)) yield* functionsIn(each, current);
	}
}

/**
 * Whether a file may have a long function. Parsing all files takes long, and in a formatted file the lines of a block stand
 * deeper than its first line and its last one. A long list of parameters takes some of the lines of a function.
 */
function mayHaveLongFunction(text: string): boolean {
	const lastLineAt: number[] = [];
	return text.split('\n').some((line, at) => {
		if (line === '') return false;
		const depth = line.search(/[^\t]/);
		const lines = at - (lastLineAt[depth] ?? at);
		lastLineAt.length = Math.min(lastLineAt.length, depth + 1);
		lastLineAt[depth] = at;
		return lines > maxFunctionLines / 2;
	});
}

/** Returns the names of the long functions of a file whose comment does not say why they are long. */
function unexplainedLengths({ name, text }: Pick<File, 'name' | 'text'>): readonly string[] {
	if (!mayHaveLongFunction(text)) return [];
	const { program, comments } = parseSync(name, text);
	const commentAbove = (start: number) =>
		comments
			.filter(({ end }) => end <= start && text.slice(end, start).trim() === '')
			.map(({ value }) => value.replace(/\s+(\* ?)?/g, ' '))
			.join(' ');
	return [...functionsIn(program)].flatMap(({ node, holder }) => {
		const lines = text.slice(node.start, node.end).split('\n').length;
		const isExplained = reasonForLength.test(commentAbove(holder.start));
		const beginning = text
			.slice(holder.start)
			.split(/[({=\n]/)[0]
			?.trim();
		return lines > maxFunctionLines && !isExplained ? [`${beginning}: ${lines} lines`] : [];
	});
}

test('a comment right above each function of more than 60 lines says why it is long', () => {
	expect(offenders(unexplainedLengths)).toEqual([]);
	const body = `{\n${'\twork();\n'.repeat(60)}}`;
	const long = `/** Does a lot. */\nexport function work() ${body}`;
	expect(unexplainedLengths({ name: 'a.ts', text: long })).toEqual([
		'export function work: 62 lines',
	]);
	const explained = long.replace(
		'lot.',
		'lot. The function is long because\n * its steps share one state.',
	);
	expect(unexplainedLengths({ name: 'a.ts', text: explained })).toEqual([]);
});

test('the scripts, settings and documents name only source files that exist', () => {
	const root = dirname(source);
	const named = ['scripts', 'replacements', 'docs', '.']
		.flatMap(folder =>
			readdirSync(resolve(root, folder), { recursive: folder !== '.', encoding: 'utf8' }).map(
				name => `${folder}/${name}`,
			),
		)
		.filter(name => /\.(js|md|json|ts)$/.test(name))
		.flatMap(name =>
			[...readFileSync(resolve(root, name), 'utf8').matchAll(/\bsource\/[\w./-]+\.tsx?\b/g)].map(
				([path]) => ({ name, path }),
			),
		);
	expect(named.length).toBeGreaterThan(10);
	expect(named.filter(({ path }) => !existsSync(resolve(root, path)))).toEqual([]);
});
